/** A piece of a text that both have, or only this one. */
export interface DiffPiece {
  readonly text: string
  readonly own: boolean
}

const wordLimit = 600

/**
 * The words of two texts, each marked as common or its own (longest common subsequence). Texts of more than 600 words are
 * not compared: both come back whole, marked as common, and `compared` is false.
 */
export function wordDiff(a: string, b: string): { a: DiffPiece[]; b: DiffPiece[]; compared: boolean } {
  const [left, right] = [words(a), words(b)]
  if (left.length > wordLimit || right.length > wordLimit)
    return { a: [{ text: a, own: false }], b: [{ text: b, own: false }], compared: false }
  const width = right.length + 1
  const table = new Uint16Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      table[i * width + j] =
        left[i] === right[j]
          ? (table[(i + 1) * width + j + 1] as number) + 1
          : Math.max(table[(i + 1) * width + j] as number, table[i * width + j + 1] as number)
  const common = { a: new Set<number>(), b: new Set<number>() }
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      common.a.add(i++)
      common.b.add(j++)
    } else if ((table[(i + 1) * width + j] as number) >= (table[i * width + j + 1] as number)) i++
    else j++
  }
  return { a: pieces(left, common.a), b: pieces(right, common.b), compared: true }
}

/** Words with the white space behind them; the last one without it, so that a text's end makes no difference. */
function words(text: string): string[] {
  return text.match(/\s*[\p{L}\p{N}]+|\s*[^\p{L}\p{N}\s]|\s+$/gu) ?? []
}

function pieces(all: readonly string[], common: ReadonlySet<number>): DiffPiece[] {
  const result: { text: string; own: boolean }[] = []
  for (const [index, text] of all.entries()) {
    const own = !common.has(index)
    const last = result.at(-1)
    if (last && last.own === own) last.text += text
    else result.push({ text, own })
  }
  return result
}
