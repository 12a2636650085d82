import { UsageError } from "../core/errors.ts"
import type { TokenLogprob } from "../core/generation.ts"

/** The window through which a long text is read. @experimental */
export interface ScoringWindow {
  /** Words that are scored together; the whole text by default. Choose it so that it fits into the model's context. */
  readonly window?: number
  /**
   * Words by which the window moves; what it has in common with the one before is context and is not counted again.
   * Default: half of the window.
   */
  readonly stride?: number
}

/** A window with its default filled in. Throws {@link UsageError} for a stride that would skip words. */
export function checkedWindow(options: ScoringWindow): Required<ScoringWindow> {
  const { window = Number.POSITIVE_INFINITY } = options
  const stride = options.stride ?? Math.max(1, Math.floor(window / 2))
  if (window >= 1 && stride >= 1 && stride <= window) return { window, stride }
  throw new UsageError(`the stride must be from 1 to the window's ${window} words, not ${stride}`, { where: "stride" })
}

/**
 * Log-probabilities of a text's tokens. A long text is read through a window that moves by a stride: each word is counted
 * once, with at least `window − stride` words of context (after the first window). A text's first token has no context and
 * is in the list only where the model has a start token. Throws what `scoreText` throws.
 */
export async function scoreInWindows(
  text: string,
  scoreText: (text: string) => Promise<readonly TokenLogprob[]>,
  options: ScoringWindow = {},
): Promise<readonly TokenLogprob[]> {
  const { window, stride } = checkedWindow(options)
  const counted: TokenLogprob[] = []
  for (const piece of pieces(text, window, stride)) {
    const tokens = await scoreText(piece.text)
    // Tokens are placed from the end: a first token without a score is not in the list.
    let at = piece.text.length - tokens.reduce((length, { token }) => length + token.length, 0)
    for (const token of tokens) {
      if (at >= piece.counted) counted.push(token)
      at += token.token.length
    }
  }
  return counted
}

/** Pieces of a text, and from which character on each is counted. */
function pieces(text: string, window: number, stride: number): { text: string; counted: number }[] {
  // A word takes the white space before it along, as tokenizers do.
  const words = text.match(/\s+\S*|\S+/gu) ?? []
  if (words.length <= window) return text === "" ? [] : [{ text, counted: 0 }]
  const windows: { text: string; counted: number }[] = []
  for (let end = window, counted = 0; counted < words.length; end += stride) {
    const stop = Math.min(end, words.length)
    const start = Math.max(0, stop - window)
    windows.push({ text: words.slice(start, stop).join(""), counted: words.slice(start, counted).join("").length })
    counted = stop
  }
  return windows
}
