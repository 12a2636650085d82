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

/** The same in tables of a width, one below the other, each with the first column: none is left out. */
export function stackedTables(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  words: readonly number[] = [0],
): readonly string[] {
  const columns = header.map((_, column) => column).slice(1)
  const tables: string[] = []
  while (columns.length > 0) {
    let taken = columns.length
    const tableOf = () => {
      const kept = [0, ...columns.slice(0, taken)]
      const part = (row: readonly string[]) => kept.map((column) => row[column] ?? "")
      const left = kept.flatMap((column, index) => (words.includes(column) ? [index] : []))
      return textTable(part(header), rows.map(part), left).trimEnd()
    }
    while (
      taken > 1 &&
      tableOf()
        .split("\n")
        .some((line) => cells(line) > width)
    )
      taken--
    tables.push(tableOf())
    columns.splice(0, taken)
  }
  return tables.flatMap((table, i) => [...(i === 0 ? [] : [""]), ...table.split("\n")])
}

/**
 * The same without as many columns as a width needs.
 *
 * @param drop columns that go first, in this order; what is not named stays
 */
export function fittedTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  {
    words = [0],
    width,
    drop,
  }: { readonly words?: readonly number[]; readonly width: number; readonly drop: readonly number[] },
): string {
  for (let gone = 0; ; gone++) {
    const kept = header.map((_, column) => column).filter((column) => !drop.slice(0, gone).includes(column))
    const part = (row: readonly string[]) => kept.map((column) => row[column] ?? "")
    const left = kept.flatMap((column, index) => (words.includes(column) ? [index] : []))
    const text = textTable(part(header), rows.map(part), left)
    if (gone >= drop.length || text.split("\n").every((line) => cells(line) <= width)) return text
  }
}
