import type { PageIndex, SampleText } from "../../page/payload.ts"

/** The samples inside the file: numbers at once, texts chunk by chunk when they are looked at. */
export interface RowStore {
  readonly index: PageIndex
  /** First answer of every sample, and one position past the last. */
  readonly starts: readonly number[]
  /** Number of text chunks. */
  readonly chunks: number
  /** The texts of a chunk, by its position; the latest ones are kept. */
  chunk(position: number): Promise<readonly SampleText[]>
  /** The texts of one sample. */
  text(sample: number): Promise<SampleText | undefined>
  /** The texts of one sample when they are already loaded. */
  peek(sample: number): SampleText | undefined
}

/** Positions of a sample's answers in the columns of the index. */
export function answersOf({ starts }: Pick<RowStore, "starts">, sample: number): readonly number[] {
  const first = starts[sample] ?? 0
  return Array.from({ length: Math.max(0, (starts[sample + 1] ?? first) - first) }, (_, i) => first + i)
}
