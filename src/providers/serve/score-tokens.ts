import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp"
import type { LoadedModel } from "./load-model.ts"
import type { ServedLogprob } from "./token-logprob.ts"

/** Tokens per evaluation: bounds the full distributions that are in memory at once. */
const chunkTokens = 32

/**
 * Log-probability of each token given those before it, by teacher forcing. The first token, which nothing precedes, has
 * none.
 *
 * @returns one entry per token; null for the first
 */
export async function scoreTokens(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  alternatives: number,
  signal: AbortSignal,
): Promise<(ServedLogprob | null)[]> {
  await sequence.clearHistory()
  const scores: (ServedLogprob | null)[] = [null]
  for (let start = 0; start < tokens.length - 1; start += chunkTokens) {
    signal.throwIfAborted()
    const chunk = tokens.slice(start, Math.min(start + chunkTokens, tokens.length - 1))
    const input: ControlledEvaluateInputItem[] = chunk.map((token) => [
      token,
      { generateNext: { probabilities: true } },
    ])
    const results = await sequence.controlledEvaluate(input)
    for (let i = 0; i < chunk.length; i++) {
      const probabilities = results[i]?.next.probabilities
      const token = tokens[start + i + 1] as Token
      scores.push(loaded.describer.describe(token, probabilities?.get(token) ?? 0, probabilities, alternatives))
    }
  }
  return scores
}
