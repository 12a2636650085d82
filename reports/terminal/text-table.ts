import stringWidth from "string-width"

/** Columns as wide on the screen as what is in them: the first to the left, the others to the right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => stringWidth(row[column] ?? ""))))
  return all
    .map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0, column === 0)).join("  "))
    .map((line) => `  ${line.trimEnd()}\n`)
    .join("")
}

function padded(cell: string, width: number, left: boolean): string {
  const space = " ".repeat(Math.max(0, width - stringWidth(cell)))
  return left ? cell + space : space + cell
}
