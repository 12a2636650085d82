import { count, significant } from "../../../reports/format/number.ts"
import { plainText } from "../../../reports/format/text.ts"
import { pad } from "../../../reports/terminal/style.ts"
import type { ForeignFigure } from "../../engine/score/score-file.ts"

/** The figures as a table for people: one line per metric, then what is unscored and why. */
export function scoreTable(figures: readonly ForeignFigure[], total: number): string {
  const rows = figures.map(({ metric, figure, scored }) =>
    figure.status === "known"
      ? [plainText(metric), significant(figure.value, 4), interval(figure), `${count(scored)} of ${count(total)}`]
      : [plainText(metric), "unknown", plainText(figure.reason), `${count(scored)} of ${count(total)}`],
  )
  const table = [["metric", "value", "95 % interval", "scored"], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] as string).length)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] as number, column === 1 || column === 3 ? "start" : "end"))
      .join("  "),
  )
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`
}

/** One line per metric and reason: how many answers have no score, and the first of them. */
export function unscoredLines(figures: readonly ForeignFigure[]): string[] {
  return figures.flatMap(({ metric, unscored, firstUnscored }) =>
    [...unscored].map(
      ([reason, n]) =>
        `${metric}: ${count(n)} unscored: ${plainText(reason)} (first: ${plainText(firstUnscored.get(reason) ?? "")})`,
    ),
  )
}

function interval(figure: { readonly low?: number | null; readonly high?: number | null }): string {
  if (typeof figure.low !== "number" || typeof figure.high !== "number") return "not bounded"
  return `${significant(figure.low, 4)} to ${significant(figure.high, 4)}`
}
