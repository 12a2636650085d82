import { UsageError } from "../src/core/errors.ts"
import type { TokenLogprob } from "../src/core/generation.ts"
import type { ChatMessage } from "../src/core/message.ts"
import type { ProviderSession } from "../src/core/provider.ts"
import { type PerplexityRow, perplexityRow } from "./perplexity.ts"

/** How given texts are scored. */
export interface TextPerplexityOptions {
  /** Log-probabilities of a text's tokens: the `scoreText` of a provider's session. */
  readonly scoreText: (text: string, signal: AbortSignal) => Promise<readonly TokenLogprob[]>
  readonly signal?: AbortSignal
  /** Words that are scored together; the whole text by default. Choose it so that it fits into the model's context. */
  readonly window?: number
  /** Words by which the window moves; what it has in common with the one before is context and is not counted again. Default: half of it. */
  readonly stride?: number
}

/**
 * Perplexity of given texts: how surprised a model is by what others wrote, the figure that quantizations and models are
 * compared with. One row per text; `perplexityFigures(rows)` gives perplexity per token and per word and bits per byte
 * (the last two compare models with different tokenizers).
 *
 * A long text is read through a window that moves by `stride`: each word is counted once, with at least
 * `window − stride` words of context (after the first window). A text's first token has no context and is counted only
 * where the model has a start token. Throws what `scoreText` throws.
 *
 * @example
 * const rows = await textPerplexity(["The sun rises."], { scoreText: session.scoreText })
 * perplexityFigures(rows).bitsPerByte
 */
export async function textPerplexity(
  texts: readonly string[],
  options: TextPerplexityOptions,
): Promise<readonly PerplexityRow[]> {
  const { scoreText, signal = new AbortController().signal } = options
  const { window = Number.POSITIVE_INFINITY } = options
  const stride = options.stride ?? Math.max(1, Math.floor(window / 2))
  if (!(window >= 1 && stride >= 1 && stride <= window)) {
    throw new UsageError(`the stride must be from 1 to the window's ${window} words, not ${stride}`, {
      where: "stride",
    })
  }
  const rows: PerplexityRow[] = []
  for (const text of texts) {
    const logprobs: number[] = []
    for (const piece of windows(text, window, stride)) {
      const tokens = await scoreText(piece.text, signal)
      // Tokens are placed from the end: a first token without a score is not in the list.
      let at = piece.text.length - tokens.reduce((length, token) => length + token.token.length, 0)
      for (const { token, logprob } of tokens) {
        if (at >= piece.counted) logprobs.push(logprob)
        at += token.length
      }
    }
    rows.push(perplexityRow(logprobs, text))
  }
  return rows
}

/**
 * Perplexity of references: how surprised a model is by given answers, each after its own messages. One row per item,
 * as {@link textPerplexity} gives them.
 *
 * @param items messages and the answer to score after them
 * @param scoreAnswer the `scoreAnswer` of a provider's session
 */
export async function referencePerplexity(
  items: readonly { readonly messages: readonly ChatMessage[]; readonly answer: string }[],
  scoreAnswer: NonNullable<ProviderSession["scoreAnswer"]>,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly PerplexityRow[]> {
  const rows: PerplexityRow[] = []
  for (const { messages, answer } of items) {
    const tokens = await scoreAnswer(messages, answer, signal)
    rows.push(
      perplexityRow(
        tokens.map((token) => token.logprob),
        answer,
      ),
    )
  }
  return rows
}

/** Pieces of a text, and from which character on each is counted. */
function windows(text: string, window: number, stride: number): { text: string; counted: number }[] {
  // A word takes the white space before it along, as tokenizers do.
  const words = text.match(/\s*\S+|\s+$/gu) ?? []
  if (words.length <= window) return text === "" ? [] : [{ text, counted: 0 }]
  const pieces: { text: string; counted: number }[] = []
  for (let end = window, counted = 0; counted < words.length; end += stride) {
    const stop = Math.min(end, words.length)
    const start = Math.max(0, stop - window)
    pieces.push({
      text: words.slice(start, stop).join(""),
      counted: words.slice(start, counted).join("").length,
    })
    counted = stop
  }
  return pieces
}
