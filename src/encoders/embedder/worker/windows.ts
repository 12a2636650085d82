/** A part of a text that the model reads at once, and the part of it that is kept. */
export interface Window {
  /** Tokens start..end of the text are read … */
  readonly start: number
  readonly end: number
  /** … and those of keepStart..keepEnd are kept: every token is kept from exactly one window. */
  readonly keepStart: number
  readonly keepEnd: number
}

/**
 * Cuts a text of `length` tokens into windows of at most `size`, each a quarter over the one before it. A token is kept from the
 * window in which it has more context: overlaps are split in the middle.
 *
 * @example windowsOf(10, 8) // [{ start: 0, end: 8, keepStart: 0, keepEnd: 5 }, { start: 2, end: 10, keepStart: 5, keepEnd: 10 }]
 */
export function windowsOf(length: number, size: number): Window[] {
  const starts = [0]
  const stride = Math.max(1, size - Math.floor(size / 4))
  while ((starts.at(-1) as number) + size < length)
    starts.push(Math.min((starts.at(-1) as number) + stride, length - size))
  const middle = (i: number) => Math.floor(((starts[i] as number) + (starts[i - 1] as number) + size) / 2)
  return starts.map((start, i) => ({
    start,
    end: Math.min(start + size, length),
    keepStart: i === 0 ? 0 : middle(i),
    keepEnd: i === starts.length - 1 ? length : middle(i + 1),
  }))
}
