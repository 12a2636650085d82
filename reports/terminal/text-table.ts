import { cells, pad } from "./style.ts"

/**
 * Columns as wide on the screen as what is in them.
 *
 * @param words columns that hold words and stand on the left; the others hold numbers and stand on the right
 */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly number[] = [0],
): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => cells(row[column] ?? ""))))
  const cell = (text: string, column: number) =>
    pad(text, widths[column] ?? 0, words.includes(column) ? "end" : "start")
  return all.map((row) => `  ${row.map(cell).join("  ").trimEnd()}\n`).join("")
}
