import type { RunReport } from "../../src/core/report/report.ts"
import { counted } from "../../src/words/number.ts"
import { duration } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { stagesText } from "../wording/stages.ts"
import { stopNotes } from "../wording/stops.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { answerTable } from "./answer-table.ts"
import { coldStartLines } from "./cold-starts.ts"
import { commandLines, type PlaceCommand } from "./commands.ts"
import { failureLines, unscoredLines, wholeFailureLines } from "./failures.ts"
import { findingLines, groundLines } from "./findings.ts"
import { firstTokenLines } from "./first-token.ts"
import { frontierChart } from "./frontier.ts"
import { levelLines } from "./levels.ts"
import { quantizationLines } from "./quantization.ts"
import { contextCurveLines } from "./slices/context-curve.ts"
import { sliceLines } from "./slices/slices.ts"
import { cells, type TerminalOptions, type TerminalStyle, terminalStyle, truncate, wrap } from "./style.ts"
import { variantTable } from "./table.ts"

export type { TerminalOptions } from "./style.ts"

/** Where the reader goes from here: paths and commands, shown as they are. */
export interface TerminalLinks {
  readonly reportPath?: string
  readonly next?: readonly string[]
  /** How a command of the summary is written there. Default: as in the folder of the config. */
  readonly place?: PlaceCommand
}

/**
 * The summary at the end of a run: one row per variant, the frontier, a sentence per comparison, what it is based on and
 * where to go next. Fits one screen of `columns`; narrower ones lose columns from the right. Every text that came from
 * a model, a data set or a server is made harmless. Ends with a line feed.
 */
export function renderTerminal(report: RunReport, options: TerminalOptions, links: TerminalLinks = {}): string {
  const bounded = { ...options, columns: Math.max(20, Math.min(options.columns, 120)) }
  const style = terminalStyle(bounded)
  const parts = [
    [titleLine(report, style, bounded)],
    wholeFailureLines(report, style, bounded, links.place),
    ...(wholeFailure(report)?.hasFigures === false
      ? [linkLines(links, style, bounded)]
      : figureParts(report, links, style, bounded)),
  ]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`
}

/** Everything that stands on figures. */
function figureParts(
  report: RunReport,
  links: TerminalLinks,
  style: TerminalStyle,
  bounded: TerminalOptions,
): readonly (readonly string[])[] {
  return [
    variantTable(report, style, bounded),
    failureLines(report, style, bounded),
    answerTable(report, style, bounded),
    [
      ...stageLines(report, style, bounded),
      ...firstTokenLines(report, style, bounded),
      ...stopLines(report, style, bounded),
      ...coldStartLines(report, style, bounded),
    ],
    frontierChart(report, style, bounded),
    [...findingLines(report, style, bounded, links.place), ...sliceLines(report, style, bounded)],
    contextCurveLines(report, style, bounded),
    levelLines(report, style, bounded),
    quantizationLines(report, style, bounded),
    [...unscoredLines(report, style, bounded), ...groundLines(report, style, bounded)],
    linkLines(links, style, bounded),
  ]
}

function titleLine(report: RunReport, style: TerminalStyle, options: TerminalOptions): string {
  const { run, dataset, variants } = report
  const answers = variants.reduce((sum, variant) => sum + variant.finished, 0)
  const status = run.status === "finished" ? [] : [run.status]
  const facts = [
    plainText(run.name, 40),
    ...status,
    counted(dataset.samples, "sample"),
    counted(variants.length, "variant"),
    counted(answers, "answer"),
    duration(run.durationMs),
    `seed ${run.seed}`,
  ]
  const right = style.text(`run ${plainText(run.id, 16)}`)
  const room = options.columns - cells(right) - 4
  while (facts.length > 2 && cells(style.text(facts.join(" \u00b7 "))) > room) facts.pop()
  const text = style.text(facts.join(" \u00b7 "))
  if (cells(text) <= room) return ` ${style.bold(text)}${" ".repeat(room - cells(text) + 2)}${style.dim(right)}`
  return ` ${style.bold(truncate(text, options.columns - 1, options.unicode))}`
}

/** What each application spent its time on. */
function stageLines({ variants }: RunReport, style: TerminalStyle, { columns, unicode }: TerminalOptions): string[] {
  return variants.flatMap((variant) => {
    const text = stagesText(variant)
    if (text === null) return []
    return wrap(style.text(`stages of ${plainText(variant.name, 30)}: ${text}`), columns - 4, unicode).map((line, i) =>
      i === 0 ? ` ${line}` : `   ${line}`,
    )
  })
}

/** Answers that stood still, or slowed down. */
function stopLines(report: RunReport, style: TerminalStyle, { columns, unicode }: TerminalOptions): string[] {
  return stopNotes(report).flatMap((note) =>
    wrap(style.text(note), columns - 4, unicode).map((line, i) => (i === 0 ? ` ${line}` : `   ${line}`)),
  )
}

/** Commands stand on a line each where they would not fit on one, and go on behind a backslash: they are there to be copied. */
function linkLines(links: TerminalLinks, style: TerminalStyle, { columns }: TerminalOptions): string[] {
  const lines: string[] = []
  if (links.reportPath) lines.push(` ${style.dim("report")}   ${style.text(plainText(links.reportPath, 300))}`)
  const next = (links.next ?? []).map((one) => style.text(plainText(one, 200)))
  const together = next.join(style.text(" \u00b7 "))
  const shown = cells(together) + 10 <= columns ? [together] : next.flatMap((one) => commandLines(one, columns - 10))
  for (const [i, line] of shown.entries())
    if (line !== "") lines.push(` ${i === 0 ? style.dim("next") : "    "}     ${line}`)
  return lines
}
