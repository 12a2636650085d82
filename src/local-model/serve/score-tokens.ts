import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp"
import type { LoadedModel } from "./load-model.ts"
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
  options: ScoreTokensOptions,
): Promise<ServedLogprob[]> {
  const started = performance.now()
  await loaded.turns.enter()
  try {
    const scores = await scored(loaded, sequence, options)
    loaded.counts.read(options.tokens.length, performance.now() - started)
    return scores
  } finally {
    loaded.turns.leave()
  }
}

async function scored(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  { tokens, from, alternatives, signal }: ScoreTokensOptions,
): Promise<ServedLogprob[]> {
  await sequence.clearHistory()
  const scores: ServedLogprob[] = []
  for (let start = 0; start < tokens.length - 1; start += chunkTokens) {
    signal.throwIfAborted()
    const chunk = tokens.slice(start, Math.min(start + chunkTokens, tokens.length - 1))
    const input: ControlledEvaluateInputItem[] = chunk.map((token, i) =>
      start + i + 1 < from ? token : [token, { generateNext: { probabilities: true } }],
    )
    const results = await sequence.controlledEvaluate(input)
    for (let i = Math.max(0, from - start - 1); i < chunk.length; i++) {
      const probabilities = results[i]?.next.probabilities
      const token = tokens[start + i + 1] as Token
      scores.push(loaded.describer.describe(token, probabilities?.get(token), probabilities, alternatives))
    }
  }
  return scores
}
