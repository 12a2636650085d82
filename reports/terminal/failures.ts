import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { readableName } from "../format/metric.ts"
import { count, plural } from "../format/number.ts"
import { plainText } from "../format/text.ts"
import { failedShare, failureReasons, otherFailures, reasonLine } from "../wording/failure-reasons.ts"
import { unscoredWords } from "../wording/unscored-words.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { type TerminalOptions, type TerminalStyle, wrap } from "./style.ts"

/** Reasons that have room; the report has the others. */
const mostReasons = 3

/** Why requests failed, in the words of the services, with counts; nothing where none did. */
export function failureLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const reasons = failureReasons(report)
  if (reasons.length === 0 || wholeFailure(report) !== null) return []
  const others =
    reasons.slice(mostReasons).reduce((sum, one) => sum + one.count, 0) +
    report.variants.reduce((sum, variant) => sum + otherFailures(variant), 0)
  return [
    ` ${style.bad(style.text(failedShare(report)))}`,
    ...reasons.slice(0, mostReasons).flatMap((reason) => hanging(reasonLine(reason), style, options)),
    ...(others > 0 ? [`   ${style.dim(`${plural(others, "more failure")} for other reasons`)}`] : []),
  ]
}

/** In place of figures: what happened to a run that failed as a whole, and what to do; nothing where it did not. */
export function wholeFailureLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const failure = wholeFailure(report)
  if (failure === null) return []
  const wrapped = (text: string) =>
    wrap(style.text(plainText(text, 600)), options.columns - 3, options.unicode).map((line) => ` ${line}`)
  return [
    ...wrapped(`NO ANSWER   ${failure.title}`).map((line) => style.bold(style.bad(line))),
    ...failure.reasons.slice(0, 2 * mostReasons).flatMap((reason) => hanging(reason, style, options)),
    ...failure.advice.flatMap(({ words, command }) =>
      wrapped(command === undefined ? words : `${words} ${plainText(command, 200)}`),
    ),
  ]
}

/** Metrics that score a part of the answers only, with the commonest reason: a judge that failed is one of them. */
export function unscoredLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  if (wholeFailure(report) !== null) return []
  const lines = report.metrics.flatMap(({ name, primary, signature }) => {
    const isJudge = isJudged(signature)
    if (!primary && !isJudge) return []
    const figures = report.variants.flatMap(({ quality }) => quality.filter(({ metric }) => metric === name))
    const [scored, total] = [sum(figures, "scored"), sum(figures, "total")]
    if (total === 0 || (scored === total && !isJudge)) return []
    const whys = new Map<string, number>()
    for (const { unscored } of figures)
      for (const [reason, times] of Object.entries(unscored)) whys.set(reason, (whys.get(reason) ?? 0) + times)
    const why = [...whys].sort((a, b) => b[1] - a[1])[0]
    const because = why === undefined ? "" : `; ${count(why[1])} not: ${unscoredWords(why[0])}`
    return [
      `${readableName(name)}${isJudge ? ", by a judge" : ""}: ${count(scored)} of ${plural(total, "answer")} scored${because}`,
    ]
  })
  return lines.slice(0, 4).flatMap((line) => hanging(line, style, options, 1).map((text) => style.dim(text)))
}

/** Whether a metric asks models for its scores, as its signature says. */
export function isJudged(signature: string): boolean {
  return /(?:^|[| ])(?:judge:|panel\|)/.test(signature)
}

function sum(figures: readonly VariantReport["quality"][number][], name: "scored" | "total"): number {
  return figures.reduce((all, one) => all + one[name], 0)
}

function hanging(text: string, style: TerminalStyle, options: TerminalOptions, indent = 3): string[] {
  const lines = wrap(style.text(plainText(text, 600)), options.columns - indent - 4, options.unicode)
  return lines.map((line, i) => `${" ".repeat(i === 0 ? indent : indent + 2)}${line}`)
}
