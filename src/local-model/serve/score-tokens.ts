import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp"
import type { LoadedModel } from "./load-model.ts"
import { likelyTokens } from "./sampling/sample-listed.ts"
import type { ServedLogprob } from "./token-logprob.ts"

/** What is scored, and how much is told about it. */
export interface ScoreTokensOptions {
  readonly tokens: readonly Token[]
  /** Position of the first token that is scored; what comes before is only context. At least 1: nothing precedes token 0. */
  readonly from: number
  readonly alternatives: number
  readonly signal: AbortSignal
}

/** Tokens per evaluation: bounds the full distributions that are in memory at once. */
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
  // What needs checkpoints (sliding windows, recurrent models) cannot go back within a chunk.
  const listing = sequence.needsCheckpoints ? null : loaded.listing
  await loaded.rounds.between(() => sequence.clearHistory())
  const scores: ServedLogprob[] = []
  for (let start = 0; start < tokens.length - 1; start += chunkTokens) {
    signal.throwIfAborted()
    const chunk = tokens.slice(start, Math.min(start + chunkTokens, tokens.length - 1))
    const given = (i: number) => tokens[start + i + 1] as Token
    const evaluate = (isAsked: (i: number) => boolean, confidence: boolean) =>
      loaded.rounds.take(() =>
        sequence.controlledEvaluate(
          chunk.map(
            (token, i): ControlledEvaluateInputItem =>
              isAsked(i) ? [token, { generateNext: { probabilities: true, confidence } }] : token,
          ),
        ),
      )
    const isScored = (i: number) => start + i + 1 >= from
    const results = listing
      ? await listing(Math.max(alternatives, likelyTokens), () => evaluate(isScored, true))
      : await evaluate(isScored, false)
    const isOutside = (i: number) => isScored(i) && results[i]?.next.probabilities?.has(given(i)) === false
    if (listing && chunk.some((_, i) => isOutside(i))) {
      await loaded.rounds.between(() => sequence.eraseContextTokenRanges([{ start, end: start + chunk.length }]))
      const whole = await evaluate(isOutside, false)
      for (const [i, result] of whole.entries()) if (isOutside(i)) results[i] = result
    }
    for (let i = Math.max(0, from - start - 1); i < chunk.length; i++) {
      const probabilities = results[i]?.next.probabilities
      scores.push(loaded.describer.describe(given(i), probabilities?.get(given(i)), probabilities, alternatives))
    }
  }
  loaded.counts.read(tokens.length, performance.now() - started)
  return scores
}
