import { randomUUID } from "node:crypto"
import { messagesOf, requestFor } from "../calls/model-request.ts"
import type { Price } from "../core/cost.ts"
import type { Dataset } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import { contentHash } from "../core/json.ts"
import { readMedia, withData } from "../core/media/message-parts.ts"
import type { OpenContext, Provider } from "../core/provider.ts"
import type { Sample } from "../core/sample.ts"
import { type Variant, variantFingerprint } from "../core/variant.ts"
import { withoutCapacity } from "../cost/hardware.ts"
import type { AskedCache } from "../perf/bench/bench-level.ts"
import { checkMedia } from "../run/check-media.ts"
import { isEpisode } from "../run/episode/is-episode.ts"
import { logprobRemarks, markLogprobs } from "../run/logprob-remarks.ts"
import { dataName } from "../words/data-name.ts"
import { benchMethods } from "../words/reasons/bench.ts"
import { baseUrlOf } from "./base-url.ts"
import { contextWindowOf } from "./context-window.ts"
import type { BenchTarget } from "./measure-level.ts"
import { type SyntheticPrompts, syntheticAnswerTokens, syntheticRequests } from "./prompts.ts"
import type { Scoring } from "./scoring.ts"

/** A variant that will be measured; nothing is started before it is opened. */
export interface PlannedTarget {
  readonly name: string
  /** Of all that its figures come from but the load: the variant, its price, the prompts and what scores the answers. */
  fingerprint(): string
  /** Its provider's: host and port, or a process of its own. */
  readonly endpoint: string
  /** Where its requests go; null where that is no address. */
  readonly baseUrl: URL | null
  readonly price: Price | null
  /** Its server must run alone. */
  readonly exclusive: boolean
  open(): Promise<LevelTarget>
}

/** A variant under loads, one after the other. */
export interface LevelTarget extends BenchTarget {
  /** Requests of the n-th load, where each has its own; a config's loads all ask its data. */
  requestsOf?(load: number): BenchTarget["requestOf"]
}

/** An endpoint without a data set: it is asked synthetic prompts. */
export interface EndpointTarget {
  readonly name: string
  readonly provider: Provider
  readonly price: Price | null
  readonly prompts: SyntheticPrompts
  /** Whether its prompts are made for hits or misses of a prompt cache; absent: neither. */
  readonly askedCache?: AskedCache
  /** Ask these very prompts again; else each run has words of its own, since a server may still hold another run's. */
  readonly repeatable: boolean
}

/** Plans an endpoint that is asked synthetic prompts. */
export function endpointTarget(endpoint: EndpointTarget, context: OpenContext): PlannedTarget {
  const { name, provider, price, prompts } = endpoint
  let opened = 0
  return {
    name,
    fingerprint: () => contentHash([provider.identity, price, prompts]),
    endpoint: provider.endpoint,
    baseUrl: baseUrlOf(provider),
    price,
    exclusive: false,
    async open() {
      // One that is opened again asks other words, too: a server may still hold those that it was asked.
      const turn = opened++ === 0 ? "" : `/turn ${opened}`
      const run = endpoint.repeatable ? turn : `/${randomUUID()}`
      const session = await provider.open(context)
      const requestsOf = (level: number) => syntheticRequests(prompts, "measured", `${run}/${level}`)
      return {
        name,
        price,
        session,
        contextWindow: await contextWindowOf(session, provider, context.signal),
        requestOf: requestsOf(0),
        requestsOf,
        warmUpRequestOf: syntheticRequests(prompts, "warm-up", run),
        fixedLength: prompts.fixedLength === true,
        askedTokensOf: syntheticAnswerTokens(prompts, "measured"),
        ...(endpoint.askedCache && { askedCache: endpoint.askedCache }),
      }
    },
  }
}

/**
 * Plans a variant of a config, which is asked its data, over and over.
 *
 * @param scoring null: its answers are not scored
 */
export function variantTarget(
  variant: Variant,
  samples: readonly Sample[],
  context: OpenContext,
  scoring: Scoring | null,
): PlannedTarget {
  const { name, provider } = variant
  const price = withoutCapacity(variant.price)
  const isTalk = samples.some((sample) => isEpisode(variant, sample))
  for (const sample of samples) {
    if (variant.episode?.user && sample.input === null)
      throw new UsageError("sample has no opening message; a load test cannot simulate a user", {
        where: `variant ${name}, sample ${JSON.stringify(sample.id)}`,
        hint: "give the samples an input, or measure conversations with evalkit run",
      })
    checkMedia(variant, sample, messagesOf(variant, sample))
  }
  // The last sample warms up and is not measured, when there is another one.
  const measured = samples.length > 1 ? samples.slice(0, -1) : samples
  const sampleOf = (index: number) => measured[index % measured.length] as Sample
  return {
    name,
    fingerprint() {
      const signatures = scoring?.of(variant, sampleOf).metrics.map(({ signature }) => signature) ?? []
      return contentHash([variantFingerprint(variant), price, signatures, JSON.stringify(samples, withoutBytes)])
    },
    endpoint: provider.endpoint,
    baseUrl: baseUrlOf(provider),
    price,
    exclusive: provider.exclusive === true,
    async open() {
      const session = await provider.open(context)
      return {
        name,
        session,
        contextWindow: await contextWindowOf(session, provider, context.signal),
        price,
        marked: (speed) => markLogprobs(speed, variant),
        remarks: [...logprobRemarks(variant), ...(isTalk ? [benchMethods.firstTurnOnly] : [])],
        requestOf: (index) => requestFor(variant, sampleOf(index), 0),
        askedTokensOf: () => variant.parameters.maxTokens ?? null,
        warmUpRequestOf: () => requestFor(variant, samples.at(-1) as Sample, 0),
        ...(scoring ? scoring.of(variant, sampleOf) : {}),
      }
    },
  }
}

/** A picture or a recording has its hash beside it. */
function withoutBytes(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? undefined : value
}

/** A bench repeats its prompts anyway: more than these are not kept in memory. */
const maxSamples = 10_000

/** The samples that a bench asks: the first 10,000. */
export async function benchSamples(dataset: Dataset, signal: AbortSignal): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const media = new Map<string, Uint8Array>()
  let [held, count] = [0, 0]
  const bytesOf = (sha256: string): Uint8Array | null => media.get(sha256) ?? null
  for await (const sample of dataset.samples(signal)) {
    const { input } = sample
    if (typeof input !== "object" || input === null) samples.push(sample)
    else {
      await readMedia(input, async (sha256) => (await dataset.media?.(sha256)) ?? null, media)
      for (const bytes of [...media.values()].slice(count)) held += bytes.length
      count = media.size
      if (held > maxMediaBytes)
        throw new UsageError(`the first ${samples.length + 1} samples show more than ${maxMediaBytes} bytes`, {
          where: dataset.source === "inline" ? dataName(dataset) : `data set ${dataset.name}`,
          hint: "a bench keeps its prompts in memory: give the data set a limit",
        })
      samples.push({ ...sample, input: withData(input, bytesOf) })
    }
    if (samples.length === maxSamples) break
  }
  if (samples.length === 0) throw new UsageError("the data set has no samples", {})
  return samples
}

/** Bytes of pictures and recordings that a bench keeps. */
const maxMediaBytes = 512 * 2 ** 20
