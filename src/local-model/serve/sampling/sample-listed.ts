import type { LlamaContext } from "node-llama-cpp"
import { isPoolOfOne } from "../evaluate/pool-of-one.ts"

/** The binding's own function: a token, or it with its distribution (tokens and probabilities in turn) and its own probability. */
export type SampleNative = (
  batchLogitIndex: number,
  sampler: unknown,
  probabilities?: boolean,
  confidence?: boolean,
) => Promise<unknown>

/** The parts of the binding that its types leave out. */
interface Internals {
  readonly _llama?: { readonly _bindings?: { readonly AddonSampler?: new (model: unknown) => NativeSampler } }
  readonly _model?: unknown
}

interface NativeSampler {
  applyConfig(config: object): void
}

/** Tokens that are listed: as many alternatives as a request for an answer may ask for. */
const listed = 20

/**
 * Tokens that are listed in place of the whole vocabulary, which takes four times as long to hand over as 50,000 take to evaluate. Of a hundred
 * tokens of a text one or two lie outside, and are asked for again.
 */
export const likelyTokens = 1024

/** Sampling that lists the most likely tokens. */
export interface ListedSampling {
  /** What stands in for the binding's function, which it receives. */
  readonly instead: (sample: SampleNative) => SampleNative
  /** Does a piece of work in which steps list so many tokens or more. */
  listing<T>(count: number, work: () => Promise<T>): Promise<T>
}

/**
 * The most likely tokens without the whole distribution. The binding hands a distribution over as one JavaScript number for each token
 * and each probability: 300,000 a step with a vocabulary of 150,000, of which a request with alternatives wants a few.
 *
 * Where a step asks for both, probabilities and confidence, two samples are taken of it: the greedy token with its share in the full softmax,
 * and the most likely ones ({@link listed}, or what `listing` asks for). The second's probabilities add up to 1; the share of the first, which is the most likely one in both,
 * scales them to those of the full softmax, to the accuracy of 32-bit floats.
 *
 * @returns null where this version of the binding gives no sampler
 */
export function sampleListed(context: LlamaContext): ListedSampling | null {
  const model = context.model as unknown as Internals
  const Sampler = model._llama?._bindings?.AddonSampler
  if (!Sampler) return null
  const samplers = new Map<number, NativeSampler>()
  const topSampler = (topK: number) => {
    const known = samplers.get(topK) ?? new Sampler(model._model)
    // At temperature 1 probabilities are the model's own; which token this sampler would draw is of no interest.
    if (!samplers.has(topK)) known.applyConfig({ temperature: 1, topK, topP: 1, minP: 0, seed: 0 })
    samplers.set(topK, known)
    return known
  }
  const counts = [listed]
  const instead: ListedSampling["instead"] = (sample) => async (index, sampler, probabilities, confidence) => {
    if (!probabilities || !confidence) return sample(index, sampler, probabilities, confidence)
    const greedy = sample(index, sampler, false, true)
    // A pool of one thread takes them in turn by itself; elsewhere they would read the same outputs at once.
    if (!isPoolOfOne) await greedy
    const likely = sample(index, topSampler(Math.max(...counts)), true, false)
    const [[token, , share], [, top]] = (await Promise.all([greedy, likely])) as [Sampled, Sampled]
    // Without its share nothing says how likely the listed ones are.
    if (share === undefined || top === undefined) return sample(index, sampler, probabilities, confidence)
    return [token, scaled(top, share), share]
  }
  const listing: ListedSampling["listing"] = async (count, work) => {
    counts.push(count)
    try {
      return await work()
    } finally {
      counts.splice(counts.indexOf(count), 1)
    }
  }
  return { instead, listing }
}

/** A token, the distribution, and the token's own probability: what was asked for. */
type Sampled = [token: number, distribution: number[] | undefined, share: number | undefined]

/** Pairs of token and probability, the most likely first, so that the first has this probability. */
function scaled(pairs: readonly number[], first: number): number[] {
  const factor = first / (pairs[1] ?? 1)
  return pairs.map((value, i) => (i % 2 === 0 ? value : value * factor))
}
