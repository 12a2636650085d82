import type { TokenLogprob } from "../../src/core/generation.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { ProviderSession } from "../../src/core/provider.ts"
import { checkedWindow, type ScoringWindow, scoreInWindows } from "../../src/text/score-in-windows.ts"
import { type PerplexityRow, perplexityRow } from "./row.ts"

/** How given texts are scored. @public */
export interface TextPerplexityOptions extends ScoringWindow {
  /** Log-probabilities of a text's tokens: the `scoreText` of a provider's session. */
  readonly scoreText: (text: string, signal: AbortSignal) => Promise<readonly TokenLogprob[]>
  readonly signal?: AbortSignal
}

/**
 * Perplexity of given texts with an open session: how surprised a model is by what others wrote. One row per text;
 * `perplexityFigures(rows)` gives perplexity per token and per word and bits per byte (the last two compare models with
 * different tokenizers). As a figure of a run: `perplexity` over variants of `textScorer`. Long texts are read through a
 * sliding window; see {@link ScoringWindow}. Throws what `scoreText` throws.
 *
 * @example
 * const rows = await textPerplexity(["The sun rises."], { scoreText: session.scoreText })
 * perplexityFigures(rows).bitsPerByte
 * @public
 */
export async function textPerplexity(
  texts: readonly string[],
  options: TextPerplexityOptions,
): Promise<readonly PerplexityRow[]> {
  checkOptions("textPerplexity", options)
  const { scoreText, signal = new AbortController().signal } = options
  const window = checkedWindow(options)
  const rows: PerplexityRow[] = []
  for (const text of texts) {
    const tokens = await scoreInWindows(text, (piece) => scoreText(piece, signal), window)
    rows.push(rowOf(tokens, text))
  }
  return rows
}

/**
 * Perplexity of references: how surprised a model is by given answers, each after its own messages. One row per item,
 * as {@link textPerplexity} gives them.
 *
 * @param items messages and the answer to score after them
 * @param scoreAnswer the `scoreAnswer` of a provider's session
 * @public
 */
export async function referencePerplexity(
  items: readonly { readonly messages: readonly ChatMessage[]; readonly answer: string }[],
  scoreAnswer: NonNullable<ProviderSession["scoreAnswer"]>,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly PerplexityRow[]> {
  const rows: PerplexityRow[] = []
  for (const { messages, answer } of items) {
    const tokens = await scoreAnswer(messages, answer, signal)
    rows.push(rowOf(tokens, answer))
  }
  return rows
}

function rowOf(tokens: readonly TokenLogprob[], text: string): PerplexityRow {
  return perplexityRow(
    tokens.map((token) => token.logprob),
    text,
  )
}
