import { EvalkitError, UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import { defaultEmbedderIdentity, type Embedder, type TokenEmbeddings } from "../../src/core/metric/embedder.ts"
import { isMetered, sendTexts } from "../../src/core/metric/metered.ts"
import { type Metric, type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { usedDefaultEmbedder, usedEmbedder } from "../../src/core/metric/used-model.ts"

/** Option of every metric that embeds texts. @public */
export interface EmbedderOption {
  /** `transformers(…)` or `openaiEmbeddings(…)`; default: all-MiniLM-L6-v2 on this machine, which the run supplies. */
  readonly embedder?: Embedder
}

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
    const code = error instanceof EvalkitError && unavailable.find((entry) => entry === error.code)
    if (code) return unscored(code, error.message)
    throw error
  }
}

const unavailable = ["missing_package", "model_unavailable", "no_embedder", "language"] as const

/** Share of a text's tokens that the model may not know. */
const maxUnknown = 0.5

/**
 * Refuses texts most of whose tokens the model does not know, and two texts that differ in such tokens alone: they have the same vector. Where the embedder has no tokenizer to look
 * at, nothing is refused.
 *
 * @throws {EvalkitError} `language`
 */
async function checkTokens(embedder: Embedder, shown: readonly string[], signal: AbortSignal): Promise<void> {
  const foreign = shown.filter((text) => /[^\x00-\u024f]/.test(text))
  if (foreign.length === 0 || !embedder.tokenize) return
  const tokenized = await embedder.tokenize(foreign, signal)
  const texts = new Map<string, string>()
  for (const [i, tokens] of tokenized.entries()) {
    const words = tokens.filter((token) => !/^(?:\[(?:CLS|SEP|PAD)\]|<\/?s>|<pad>)$/.test(token))
    const unknown = words.filter((token) => /^(?:\[UNK\]|<unk>)$/.test(token)).length
    const text = foreign[i] as string
    const isSame = unknown > 0 && (texts.get(tokens.join(" ")) ?? text) !== text
    texts.set(tokens.join(" "), text)
    if (isSame || (unknown > 0 && unknown >= words.length * maxUnknown))
      throw new EvalkitError(`the encoder does not know ${unknown} of ${words.length} tokens of a text`, {
        code: "language",
        hint: 'give one that reads its script: embedder: transformers({ model: "multilingual-e5-small" })',
      })
  }
}

/** Token embeddings of texts; unscored where the embedder gives whole texts only. */
export async function embedTokens(
  texts: readonly string[],
  layer: number | null,
  embedder: Embedder,
  tools: MetricTools,
): Promise<readonly TokenEmbeddings[] | Unscored> {
  if (!embedder.embedTokens) return unscored("no_token_embeddings", "the embedder gives whole texts only")
  await checkTokens(embedder, texts, tools.signal)
  return embedder.embedTokens(texts, layer, tools.signal)
}

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
  await checkTokens(embedder, texts, tools.signal)
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
