import type { LlamaModel, Token } from "node-llama-cpp"
import type { NativeContext, NativeSampler } from "../evaluate/native-context.ts"

/**
 * Tokens that are listed in place of the whole vocabulary, which takes longer to hand over (14 ms of processor for 49,152 tokens) than a small model takes to
 * evaluate. They decide nearly every draw.
 */
export const likelyTokens = 1024

/** Tokens, the most likely first, with their probabilities. */
export interface Listing {
  readonly token: Token
  readonly probabilities: Map<Token, number>
  /** Probability of all tokens that are not listed, on the scale of those that are: at most, and at least. */
  readonly rest: number
  readonly leastRest: number
  /** Whether the probabilities were made the model's own by that of the first, a sum in 32 bits; a small difference to 1 is nothing to go by. */
  readonly isScaled?: boolean
}

/** What can be known of an output of the batch, by its place. Probabilities are those of the softmax at temperature 1. */
export interface NativeSampling {
  /** The most likely token: 0.1 ms for 49,152 tokens, as `relative` is 0.4, `confident` 3.8 and `all` 14. */
  greedy(position: number): Promise<Token>
  /** The most likely token with its probability. */
  confident(position: number): Promise<{ readonly token: Token; readonly confidence: number }>
  /** So many of the most likely tokens ({@link likelyTokens}), their probabilities relative to each other. */
  relative(position: number, count?: number): Promise<Listing>
  /** As many with their own probabilities. */
  likely(position: number, count?: number): Promise<Listing>
  /** All tokens. */
  all(position: number): Promise<Listing>
  /** Samples by a sampler of the caller's: the token with what its sampler lists, with its own probability (no alternatives), or alone (null). */
  by(
    sampler: NativeSampler,
    position: number,
    alternatives: number | null,
  ): Promise<{ readonly token: Token; readonly confidence?: number; readonly probabilities?: Map<Token, number> }>
  /** Whether the vocabulary is so large that a part of it is looked at first. */
  readonly isLarge: boolean
  /** Tokens with which the model ends an answer. */
  ends(): ReadonlySet<Token>
}

/** A token, the distribution, and the token's own probability: what was asked for. */
type Sampled = [token: Token, distribution: number[] | undefined, share: number | undefined]

/**
 * Sampling on a context whose batch is evaluated. The most likely tokens come without the whole distribution from a sampler that keeps as many; their
 * probabilities add up to 1. The share of the first in the full softmax scales them, to the accuracy of 32-bit floats; it costs a sort of the vocabulary.
 *
 * @param clear what is done before probabilities are asked for
 */
export function nativeSampling(native: NativeContext, model: LlamaModel, clear: (() => void) | null): NativeSampling {
  const size = model.fileInfo.metadata.tokenizer.ggml.tokens.length
  const greedySampler = native.createSampler({ temperature: 0 })
  const samplers = new Map<number, NativeSampler>()
  const topSampler = (topK: number) => {
    // At temperature 1 probabilities are the model's own; which token this sampler would draw is of no interest.
    const existing = samplers.get(topK) ?? native.createSampler({ temperature: 1, topK, topP: 1, minP: 0, seed: 0 })
    samplers.set(topK, existing)
    return existing
  }
  async function sampled(position: number, sampler: NativeSampler, ...asked: [boolean, boolean]): Promise<Sampled> {
    clear?.()
    const result = (await native.sampleToken(position, sampler, ...asked)) as Sampled
    return [checkedToken(result[0]), result[1], result[2]]
  }
  const top = async (at: number, count: number) => byToken((await sampled(at, topSampler(count), true, false))[1])
  const confident: NativeSampling["confident"] = async (position) => {
    const [token, , confidence] = await sampled(position, greedySampler, false, true)
    if (confidence === undefined) throw new Error("the model gave no probabilities")
    return { token, confidence }
  }
  const all: NativeSampling["all"] = async (position) => {
    const [token, distribution] = await sampled(position, greedySampler, true, false)
    return { token, probabilities: byToken(distribution), rest: 0, leastRest: 0 }
  }
  let ends: ReadonlySet<Token> | undefined
  return {
    ends() {
      const tokens = () => Array.from({ length: size }, (_, token) => token as Token)
      ends ??= new Set(tokens().filter((token) => model.isEogToken(token)))
      return ends
    },
    isLarge: size > 8 * likelyTokens,
    greedy: async (position) => checkedToken((await native.sampleToken(position, greedySampler)) as Token),
    confident,
    async relative(position, count = likelyTokens) {
      const probabilities = await top(position, count)
      const [token, least] = [probabilities.keys().next().value as Token, [...probabilities.values()].at(-1) as number]
      const rest = (size - probabilities.size) * least
      // As `scaled` has it, the rest may be a little more.
      return { token, probabilities, rest: 1.001 * rest + 0.001, leastRest: 0 }
    },
    async likely(position, count = likelyTokens) {
      if (count >= size) return all(position)
      const [{ token, confidence }, probabilities] = await Promise.all([confident(position), top(position, count)])
      return scaled({ token, probabilities }, confidence)
    },
    all,
    async by(sampler, position, alternatives) {
      if (alternatives === null) return { token: checkedToken((await native.sampleToken(position, sampler)) as Token) }
      const [token, distribution, confidence] = await sampled(position, sampler, alternatives > 0, alternatives === 0)
      return {
        token,
        ...(distribution ? { probabilities: byToken(distribution) } : confidence !== undefined && { confidence }),
      }
    },
  }
}

/** Relative probabilities as the model's own, of which the first is known. */
export function scaled(listing: Pick<Listing, "token" | "probabilities">, first: number): Listing {
  const factor = first / (listing.probabilities.values().next().value ?? 1)
  let total = 0
  const probabilities = new Map<Token, number>()
  for (const [token, share] of listing.probabilities) {
    probabilities.set(token, share * factor)
    total += share * factor
  }
  const rest = Math.max(0, 1 - total)
  return { token: listing.token, probabilities, rest, leastRest: rest, isScaled: true }
}

function checkedToken(token: Token): Token {
  if (token < 0) throw new Error("the model gave no token")
  return token
}

/** Tokens and probabilities in turn, as a map in their order. */
function byToken(pairs: readonly number[] = []): Map<Token, number> {
  const logprobs = new Map<Token, number>()
  for (let i = 0; i < pairs.length; i += 2) logprobs.set(pairs[i] as Token, pairs[i + 1] as number)
  return logprobs
}
