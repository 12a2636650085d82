import type { RunReport } from "../../src/core/report/report.ts"
import type { SectionOfKind } from "../../src/core/report/report-sections.ts"
import { figureCell, valueCell } from "../../src/words/figure.ts"
import { plainText } from "../../src/words/text.ts"
import { sweptLevels } from "../wording/placed-sections.ts"
import { levelColumns, levelStanding, standingTitle } from "../wording/swept-levels.ts"
import { cells, type TerminalOptions, type TerminalStyle, truncate, wrap } from "./style.ts"
import { stackedTables, textTable } from "./text-table.ts"

/** Sweeps that have room. */
const mostSweeps = 3

/** Each axis of a sweep: a row per level, and the knee in words. */
export function levelLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  return sweptLevels(report)
    .slice(0, mostSweeps)
    .flatMap((section, i) => [...(i === 0 ? [] : [""]), ...sectionLines(section, report, style, options)])
}

function sectionLines(
  { title, data, sentences }: SectionOfKind<"levels">,
  report: RunReport,
  style: TerminalStyle,
  options: TerminalOptions,
): string[] {
  const room = options.columns - 1
  const text = (value: string, limit: number) => style.text(plainText(value, limit))
  const columns = levelColumns(data, report)
  const isFound = data.knee !== null
  const header = [
    text(data.axis, 24),
    ...columns.map((column) => text(column.title, 24)),
    ...(isFound ? [standingTitle] : []),
  ]
  const rowsOf = (cell: typeof figureCell) =>
    data.levels.map((level) => [
      text(level.level, 24),
      ...columns.map((column) => style.text(cell(column.figure(level), column.unit))),
      ...(isFound ? [levelStanding(data, level)] : []),
    ])
  const table = textTable(header, rowsOf(figureCell)).trimEnd().split("\n")
  const fits = table.every((line) => cells(line) <= room)
  // What does not fit goes without its intervals, which the report has.
  const shown = fits ? table : stackedTables(header, rowsOf(valueCell), room)
  return [
    ...wrap(text(title, 80), room - 1, options.unicode).map((line) => ` ${style.bold(line)}`),
    ...shown.map((line) => truncate(line, room, options.unicode)),
    ...sentences
      .slice(0, 2)
      .flatMap((sentence) => wrap(text(sentence, 1000), room - 1, options.unicode).map((line) => ` ${line}`)),
    ...sentences
      .slice(2)
      .flatMap((sentence) =>
        wrap(text(sentence, 1000), room - 1, options.unicode).map((line) => ` ${style.dim(line)}`),
      ),
  ]
}
