import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { metricTitle } from "../../src/words/metric.ts"
import { count, counted } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"
import { failedShare, failureReasons, otherFailures, reasonLine } from "../wording/failure-reasons.ts"
import { unscoredWords } from "../wording/unscored-words.ts"
import { noAnswerWords } from "../wording/verdict-words.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { advisedLines, type PlaceCommand } from "./commands.ts"
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
    ...(others > 0 ? [`   ${style.dim(`${counted(others, "more failure")} for other reasons`)}`] : []),
  ]
}

/** In place of figures: what happened to a run that failed as a whole, and what to do; nothing where it did not. */
export function wholeFailureLines(
  report: RunReport,
  style: TerminalStyle,
  options: TerminalOptions,
  place?: PlaceCommand,
): string[] {
  const failure = wholeFailure(report)
  if (failure === null) return []
  const wrapped = (text: string) =>
    wrap(style.text(plainText(text, 600)), options.columns - 3, options.unicode).map((line) => ` ${line}`)
  return [
    ...wrapped(`${noAnswerWords}   ${failure.title}`).map((line) => style.bold(style.bad(line))),
    ...failure.reasons.slice(0, 2 * mostReasons).flatMap((reason) => hanging(reason, style, options)),
    ...failure.advice.flatMap((advice) => advisedLines(advice, place, style, options)),
  ]
}

/** Metrics that score a part of the answers only, with the commonest reasons: a judge that failed is one of them. */
export function unscoredLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  if (wholeFailure(report) !== null) return []
  const lines = report.metrics.flatMap((metric) => {
    const { name, primary, signature } = metric
    const isJudge = isJudged(signature)
    if (!primary && !isJudge) return []
    const figures = report.variants.flatMap(({ quality }) => quality.filter(({ metric }) => metric === name))
    const [scored, total] = [sum(figures, "scored"), sum(figures, "total")]
    if (total === 0 || (scored === total && !isJudge)) return []
    const left = scored === total ? "" : `; ${count(total - scored)} not${reasonsOf(figures)}`
    return [
      `${metricTitle(metric)}${isJudge ? ", by a judge" : ""}: ${count(scored)} of ${counted(total, "answer")} scored${left}`,
    ]
  })
  return lines.slice(0, 4).flatMap((line) => hanging(line, style, options, 1).map((text) => style.dim(text)))
}

/** `: the service failed (4), no connection (4), other reasons (3)`. */
function reasonsOf(figures: readonly VariantReport["quality"][number][]): string {
  const whys = new Map<string, number>()
  for (const { unscored } of figures)
    for (const [reason, times] of Object.entries(unscored)) {
      const words = unscoredWords(reason)
      whys.set(words, (whys.get(words) ?? 0) + times)
    }
  const sorted = [...whys].sort((a, b) => b[1] - a[1])
  const others = sorted.slice(mostReasons).reduce((all, [, times]) => all + times, 0)
  const parts = sorted.slice(0, mostReasons).map(([words, times]) => `${words} (${count(times)})`)
  if (others > 0) parts.push(`other reasons (${count(others)})`)
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`
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
