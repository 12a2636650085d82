import type { LlamaModel, Token } from "node-llama-cpp"
import { ApiError } from "./api-error.ts"

/** A token as OpenAI's chat completions list it. */
export interface ServedToken {
  readonly token: string
  readonly logprob: number
  /** UTF-8 bytes; null where the token is a part of a character. */
  readonly bytes: readonly number[] | null
}

/** A token with its most likely alternatives. */
export interface ServedLogprob extends ServedToken {
  readonly top_logprobs: readonly ServedToken[]
}

/** The binding's probabilities are 32-bit floats: what is under the smallest one is bounded by its logarithm. */
const smallestFloat32 = 2 ** -149

/** Natural logarithm of a probability, bounded below by that of the smallest 32-bit float (−103.3): JSON has no −∞. */
export function logprobOf(probability: number): number {
  return Math.min(0, Math.log(Math.max(probability, smallestFloat32)))
}

/** Describes tokens; a vocabulary's texts are made once each. */
export interface TokenDescriber {
  /**
   * A chosen token with its alternatives. Throws {@link ApiError} when its probability is missing: a fault, to be tried
   * again; taken for improbable, the token would ruin a perplexity.
   *
   * @param probabilities the full distribution, most likely first; needed only when alternatives are wanted
   * @param alternatives how many alternatives to list
   */
  describe(
    token: Token,
    probability: number | undefined,
    probabilities: ReadonlyMap<Token, number> | undefined,
    alternatives: number,
  ): ServedLogprob
  /** The token's own text, control tokens spelled out; U+FFFD where it is a part of a character. */
  text(token: Token): string
}

/** A describer of a model's vocabulary. */
export function createTokenDescriber(model: LlamaModel): TokenDescriber {
  const cache = new Map<Token, Pick<ServedToken, "token" | "bytes">>()
  const facts = (token: Token) => {
    let entry = cache.get(token)
    if (!entry) {
      const text = model.detokenize([token], true)
      entry = { token: text, bytes: text.includes("\uFFFD") ? null : [...Buffer.from(text)] }
      cache.set(token, entry)
    }
    return entry
  }
  const served = (token: Token, probability: number): ServedToken => {
    const { token: text, bytes } = facts(token)
    return { token: text, logprob: logprobOf(probability), bytes }
  }
  return {
    describe(token, probability, probabilities, alternatives) {
      if (probability === undefined) {
        throw new ApiError(500, "the model gave no probabilities", { code: "no_probabilities" })
      }
      const top: ServedToken[] = []
      if (alternatives > 0) {
        for (const [other, share] of probabilities ?? []) {
          top.push(served(other, share))
          if (top.length === alternatives) break
        }
      }
      return { ...served(token, probability), top_logprobs: top }
    },
    text: (token) => facts(token).token,
  }
}
