import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { QuantizationData } from "../../src/core/report/report-sections.ts"
import { plainText } from "../../src/words/text.ts"
import { quantizations } from "../wording/placed-sections.ts"
import { cells, type TerminalOptions, type TerminalStyle, truncate, wrap } from "./style.ts"
import { stackedTables } from "./text-table.ts"

/** The quantizations of the baseline's model: a row per measure that is known, a column per variant. Empty without any. */
export function quantizationLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const baseline = report.variants.find((variant) => variant.baseline)?.name
  const section = quantizations(report).find(({ data }) => data.reference === baseline)
  if (!section) return []
  const { data, title } = section
  const room = options.columns - 1
  const whole = tableOf(data, style, true)
  const fits = whole.every((line) => cells(line) <= room)
  const lines = fits ? whole : tableOf(data, style, false, room)
  const notes = [data.ranking, data.notMeasured].flatMap((note) =>
    note === null ? [] : wrap(style.text(plainText(note, 1000)), room - 1, options.unicode),
  )
  const said = (text: string) => wrap(style.text(text), room - 1, options.unicode)
  return [
    ...said(plainText(title, 80)).map((line) => ` ${style.bold(line)}`),
    ...said(keyOf(data, fits)).map((line) => ` ${style.dim(line)}`),
    ...lines.map((line) => truncate(line, room, options.unicode)),
    ...notes.map((line) => ` ${style.dim(line)}`),
  ]
}

/** What brackets and marks in the table mean. */
function keyOf({ variants }: QuantizationData, withIntervals: boolean): string {
  const isMarked = variants.some(({ figures }) =>
    figures.some(({ figure }) => figure.status === "known" && figure.isApproximate),
  )
  return [
    ...(withIntervals ? [] : ["in brackets: may be chance"]),
    ...(isMarked ? ["~ is within evalkit's own timing error"] : []),
    ...(withIntervals ? [] : ["intervals: in the report"]),
  ].join("; ")
}

function tableOf(
  { measures, variants }: QuantizationData,
  style: TerminalStyle,
  withIntervals: boolean,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const text = (value: string, limit: number) => style.text(plainText(value, limit))
  const rows = measures.flatMap(({ title }, place) => {
    const shown = variants.map(({ figures }) => figures[place])
    if (!shown.some((one) => one?.figure.status === "known")) return []
    const values = shown.map((one) => {
      if (!one || withIntervals) return one?.text ?? "unknown"
      const value = one.text.replace(/ \(.*\)$/, "")
      return mayBeChance(one.figure) ? `(${value})` : value
    })
    return [[text(title, 30), ...values.map((value) => text(value, 60))]]
  })
  const header = ["", ...variants.map(({ variant }) => text(variant, 24))]
  return stackedTables(header, rows, width)
}

/** Whether a change could as well be none, or made by evalkit's own timing error. */
function mayBeChance(figure: Figure): boolean {
  if (figure.status === "unknown") return false
  const { low, high, isApproximate } = figure
  return isApproximate === true || (low != null && high != null && low < 0 && high > 0)
}
