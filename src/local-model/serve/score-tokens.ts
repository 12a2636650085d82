import type { LlamaContextSequence, Token } from "node-llama-cpp"
import { nativeSequence } from "./evaluate/native-context.ts"
import type { LoadedModel } from "./load-model.ts"
import { likelyTokens } from "./sampling/native-sampling.ts"
import type { ServedLogprob } from "./token-logprob.ts"

/** What is scored, and how much is returned about it. */
export interface ScoreTokensOptions {
  readonly tokens: readonly Token[]
  /** Position of the first token that is scored; what comes before is only context. At least 1: nothing precedes token 0. */
  readonly from: number
  readonly alternatives: number
  readonly signal: AbortSignal
}

/** Tokens per evaluation: others wait for so many samples. */
const chunkTokens = 32

/**
 * Log-probability of each token given those before it, by teacher forcing.
 *
 * @returns one entry per token from position `from` on
 */
export async function scoreTokens(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  { tokens, from, alternatives, signal }: ScoreTokensOptions,
): Promise<ServedLogprob[]> {
  const started = performance.now()
  const { rounds, sampling, describer } = loaded
  await rounds.between(() => sequence.clearHistory())
  const score = async (position: number, token: Token) => {
    const count = Math.max(alternatives, likelyTokens)
    let { probabilities } = await sampling.likely(position, count)
    if (!probabilities.has(token)) probabilities = (await sampling.all(position)).probabilities
    return describer.describe(token, probabilities.get(token), probabilities, alternatives)
  }
  const scores: ServedLogprob[] = []
  for (let start = 0; start < tokens.length - 1; start += chunkTokens) {
    signal.throwIfAborted()
    const part = await rounds.evaluate({
      sequence: nativeSequence(sequence),
      tokens: tokens.slice(start, Math.min(start + chunkTokens, tokens.length - 1)),
      isSampled: (i) => start + i + 1 >= from,
      sample: (position, i) => score(position, tokens[start + i + 1] as Token),
    })
    scores.push(...part)
  }
  loaded.counts.read(tokens.length, performance.now() - started)
  return scores
}
