import type { TokenLogprob } from "../core/generation.ts"

/** Fewer tokens than this in a window are no context that a next one could begin in. */
const minTokens = 4

/**
 * Log-probabilities of the tokens of a text that may be longer than the model's context: it is read through windows that fit, cut at the
 * model's own tokens. A window begins in the middle of the one before, so that each token after the first window has at least about half a
 * window of context, and each is counted once. A text that fits is read whole. Throws what `scoreText` throws for another reason than length.
 *
 * @param isTooLong whether an error says that the text is longer than the context
 * @param onCut called once for a text that had to be cut
 */
export async function scoreWithinContext(
  text: string,
  scoreText: (text: string) => Promise<readonly TokenLogprob[]>,
  isTooLong: (error: unknown) => boolean,
  onCut: () => void = () => {},
): Promise<readonly TokenLogprob[]> {
  const counted: Placed[] = []
  let size = text.length
  let start = 0
  for (;;) {
    const end = wholeCharacters(text, Math.min(text.length, start + size))
    let placed: Placed[]
    try {
      placed = placesOf(await scoreText(text.slice(start, end)), end)
    } catch (error) {
      const half = Math.floor((end - start) / 2)
      if (!isTooLong(error) || half < minTokens) throw error
      if (size === text.length) onCut()
      size = half
      // Where a denser part makes the window smaller, it must still reach beyond what is counted.
      start = Math.max(start, beginFor(counted, size))
      continue
    }
    append(counted, placed)
    if (end === text.length) return counted.map(({ token }) => token)
    if (placed.length < minTokens) throw new Error(`a window of ${placed.length} tokens is too small for a longer text`)
    // The cut may have split the last token: the next window has it whole.
    counted.pop()
    start = Math.max((placed[Math.floor(placed.length / 2)] as Placed).at, beginFor(counted, size))
  }
}

/** A token and where in the text it begins. */
interface Placed {
  readonly at: number
  readonly token: TokenLogprob
}

/** Tokens are placed from the end: a first token without a score is not in the list. */
function placesOf(tokens: readonly TokenLogprob[], end: number): Placed[] {
  let at = end - tokens.reduce((length, { token }) => length + token.length, 0)
  return tokens.map((token) => {
    at += token.token.length
    return { at: at - token.token.length, token }
  })
}

/** Goes on at the last place at which a token begins in both lists, so that nothing is counted twice or left out. */
function append(counted: Placed[], placed: readonly Placed[]): void {
  const begins = new Map(placed.map(({ at }, i) => [at, i] as const).reverse())
  const last = counted.at(-1)
  let index = last === undefined ? (placed[0]?.at ?? 0) : last.at + last.token.token.length
  while (!begins.has(index) && counted.length > 0) index = (counted.pop() as Placed).at
  // Several parts of a character stand at one place: all of them come from one list.
  while ((counted.at(-1)?.at ?? -1) >= index) counted.pop()
  counted.push(...placed.slice(begins.get(index) ?? 0))
}

/** The counted token at which a window of this many units may begin, so that half of it lies behind all that is counted. */
function beginFor(counted: readonly Placed[], size: number): number {
  const last = counted.at(-1)
  if (last === undefined) return 0
  const min = last.at + last.token.token.length - Math.floor(size / 2)
  let low = 0
  for (let high = counted.length - 1; low < high; ) {
    const middle = (low + high) >> 1
    if ((counted[middle] as Placed).at < min) low = middle + 1
    else high = middle
  }
  return (counted[low] as Placed).at
}

/** The place, or the one before it where a character of two units would be split. */
function wholeCharacters(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  return at < text.length && before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}
