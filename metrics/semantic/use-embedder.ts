import { EvalkitError, UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import { defaultEmbedderIdentity, type Embedder } from "../../src/core/metric/embedder.ts"
import { isMetered, sendTexts } from "../../src/core/metric/metered.ts"
import { type Metric, type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { usedDefaultEmbedder, usedEmbedder } from "../../src/core/metric/used-model.ts"
import type { OptionKinds } from "../../src/core/options.ts"

/** Option of every metric that embeds texts. */
export interface EmbedderOption {
  /** `transformers(…)` or `openaiEmbeddings(…)`; default: all-MiniLM-L6-v2 on this machine, which the run supplies. */
  readonly embedder?: Embedder
}

/** Of {@link EmbedderOption}, for {@link checkOptions}. */
export const embedderOption: OptionKinds<EmbedderOption> = { embedder: "object" }

/** How signatures name the embedder. */
export function embedderIdentity({ embedder }: EmbedderOption): string {
  return (embedder?.identity ?? defaultEmbedderIdentity).replaceAll("|", ",")
}

/** What a metric with an embedder of its own states of it: how to close it, and whom to ask what it cost. */
export function embedderParts({ embedder }: EmbedderOption): Pick<Metric, "close" | "meters" | "uses"> {
  if (!embedder) return { uses: [usedDefaultEmbedder] }
  const meters = isMetered(embedder) ? [embedder] : []
  return { close: () => embedder.close(), meters, uses: [usedEmbedder(embedder)] }
}

/**
 * Runs a measurement with the metric's embedder, or the run's. A model that is not available makes the answer unscored, with
 * what to do about it.
 */
export async function withEmbedder<Result>(
  option: EmbedderOption,
  tools: MetricTools,
  use: (embedder: Embedder) => Promise<Result>,
): Promise<Result | Unscored> {
  try {
    return await use(option.embedder ?? defaultEmbedder(tools))
  } catch (error) {
    const code = error instanceof EvalkitError && unavailable.find((one) => one === error.code)
    if (code) return unscored(code, error.message)
    throw error
  }
}

const unavailable = ["missing_package", "model_unavailable", "no_embedder"] as const

function defaultEmbedder({ defaultEmbedder: embedder }: MetricTools): Embedder {
  if (!embedder)
    throw new EvalkitError("no embedder was given", { code: "no_embedder", hint: "pass one: embedder: transformers()" })
  if (embedder.identity === defaultEmbedderIdentity) return embedder
  throw new UsageError("the run's default embedder is not the one that signatures name", {
    where: embedder.identity,
    hint: "give another embedder to the metric itself: embedder: transformers({ … })",
  })
}

/** Vectors of texts, each computed once per embedder: they are kept in the run's cache, by content and embedder. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  tools: MetricTools,
): Promise<readonly Float32Array[]> {
  const keys = texts.map((text) => contentHash({ embedding: embedder.identity, text }))
  const vectors = await Promise.all(keys.map(async (key) => vectorOf(await tools.cache.get(key))))
  const missing = vectors.flatMap((vector, i) => (vector ? [] : [i]))
  if (missing.length === 0) return vectors as Float32Array[]
  const unknown = missing.map((i) => texts[i] as string)
  const made = await sendTexts(embedder, unknown, tools.services, () => embedder.embed(unknown, tools.signal))
  await Promise.all(
    missing.map((i, k) => {
      const vector = made[k] as Float32Array
      vectors[i] = vector
      return tools.cache.set(keys[i] as string, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    }),
  )
  return vectors as Float32Array[]
}

/** Bytes may begin anywhere in a buffer; floats may not: they are copied. */
function vectorOf(cached: Awaited<ReturnType<MetricTools["cache"]["get"]>>): Float32Array | undefined {
  return cached instanceof Uint8Array ? new Float32Array(Uint8Array.from(cached).buffer) : undefined
}
