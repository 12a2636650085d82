import type { RunReport } from "../../src/core/report/report.ts"
import { counted } from "../../src/words/number.ts"
import { duration } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { commandLines, type PlaceCommand } from "./commands.ts"
import { failureLines, unscoredLines, wholeFailureLines } from "./failures.ts"
import { findingLines, groundLines } from "./findings.ts"
import { frontierChart } from "./frontier.ts"
import { contextCurveLines, levelLines, quantizationLines } from "./section-tables.ts"
import { sliceLines } from "./slices.ts"
import { cells, type Screen, type TerminalOptions, terminalScreen, truncate } from "./style.ts"
import { variantTable } from "./table.ts"
import { timeLines } from "./times.ts"

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
  const screen = terminalScreen({ ...options, columns: Math.max(20, Math.min(options.columns, 120)) })
  const parts = [
    [titleLine(report, screen)],
    wholeFailureLines(report, screen, links.place),
    ...(wholeFailure(report)?.hasFigures === false ? [linkLines(links, screen)] : figureParts(report, links, screen)),
  ]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`
}

/** Everything that stands on figures. */
function figureParts(report: RunReport, links: TerminalLinks, screen: Screen): readonly (readonly string[])[] {
  return [
    variantTable(report, screen),
    failureLines(report, screen),
    timeLines(report, screen),
    frontierChart(report, screen),
    [...findingLines(report, screen, links.place), ...sliceLines(report, screen)],
    contextCurveLines(report, screen),
    levelLines(report, screen),
    quantizationLines(report, screen),
    [...unscoredLines(report, screen), ...groundLines(report, screen)],
    linkLines(links, screen),
  ]
}

function titleLine(report: RunReport, screen: Screen): string {
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
  const right = screen.text(`run ${plainText(run.id, 16)}`)
  const room = screen.columns - cells(right) - 4
  while (facts.length > 2 && cells(screen.text(facts.join(" \u00b7 "))) > room) facts.pop()
  const text = screen.text(facts.join(" \u00b7 "))
  if (cells(text) <= room) return ` ${screen.bold(text)}${" ".repeat(room - cells(text) + 2)}${screen.dim(right)}`
  return ` ${screen.bold(truncate(text, screen.columns - 1, screen.unicode))}`
}

/** Commands stand on a line each where they would not fit on one, and go on behind a backslash: they are there to be copied. */
function linkLines(links: TerminalLinks, screen: Screen): string[] {
  const lines: string[] = []
  if (links.reportPath) lines.push(` ${screen.dim("report")}   ${screen.text(plainText(links.reportPath, 300))}`)
  const next = (links.next ?? []).map((command) => screen.text(plainText(command, 200)))
  const together = next.join(screen.text(" \u00b7 "))
  const shown =
    cells(together) + 10 <= screen.columns ? [together] : next.flatMap((cmd) => commandLines(cmd, screen.columns - 10))
  for (const [i, line] of shown.entries())
    if (line !== "") lines.push(` ${i === 0 ? screen.dim("next") : "    "}     ${line}`)
  return lines
}
