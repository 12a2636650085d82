import { asksJudge } from "../../src/core/metric/asks-judge.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { metricTitle } from "../../src/words/metric.ts"
import { count, counted } from "../../src/words/number.ts"
import { failedShare, failureReasons, otherFailures, reasonLine } from "../wording/failure-reasons.ts"
import { unscoredWords } from "../wording/unscored-words.ts"
import { noAnswerWords } from "../wording/verdict-words.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { advisedLines, type PlaceCommand } from "./commands.ts"
import { paragraph, type Screen } from "./style.ts"

/** Reasons that have room; the report has the others. */
const maxReasons = 3

/** Why requests failed, in the words of the services, with counts; nothing where none did. */
export function failureLines(report: RunReport, screen: Screen): string[] {
  const reasons = failureReasons(report)
  if (reasons.length === 0 || wholeFailure(report) !== null) return []
  const others =
    reasons.slice(maxReasons).reduce((sum, failureReason) => sum + failureReason.count, 0) +
    report.variants.reduce((sum, variant) => sum + otherFailures(variant), 0)
  return [
    ` ${screen.bad(screen.text(failedShare(report)))}`,
    ...reasons.slice(0, maxReasons).flatMap((reason) => hanging(reasonLine(reason), screen)),
    ...(others > 0 ? [`   ${screen.dim(`${counted(others, "more failure")} for other reasons`)}`] : []),
  ]
}

/** In place of figures: what happened to a run that failed as a whole, and what to do; nothing where it did not. */
export function wholeFailureLines(report: RunReport, screen: Screen, place?: PlaceCommand): string[] {
  const failure = wholeFailure(report)
  if (failure === null) return []
  return [
    ...paragraph(screen, `${noAnswerWords}   ${failure.title}`, {
      margin: 3,
      paint: (line) => screen.bold(screen.bad(line)),
    }),
    ...failure.reasons.slice(0, 2 * maxReasons).flatMap((reason) => hanging(reason, screen)),
    ...failure.advice.flatMap((advice) => advisedLines(advice, place, screen)),
  ]
}

/** Metrics that score a part of the answers only, with the commonest reasons: a judge that failed is one of them. */
export function unscoredLines(report: RunReport, screen: Screen): string[] {
  if (wholeFailure(report) !== null) return []
  const lines = report.metrics.flatMap((metric) => {
    const { name, primary, signature } = metric
    const isJudge = asksJudge({ signature })
    if (!primary && !isJudge) return []
    const figures = report.variants.flatMap(({ quality }) => quality.filter(({ metric }) => metric === name))
    const [scored, total] = [sum(figures, "scored"), sum(figures, "total")]
    if (total === 0 || (scored === total && !isJudge)) return []
    const left = scored === total ? "" : `; ${count(total - scored)} not${reasonsOf(figures)}`
    return [
      `${metricTitle(metric)}${isJudge ? ", by a judge" : ""}: ${count(scored)} of ${counted(total, "answer")} scored${left}`,
    ]
  })
  return lines.slice(0, 4).flatMap((line) => hanging(line, screen, 1).map((text) => screen.dim(text)))
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
  const others = sorted.slice(maxReasons).reduce((all, [, times]) => all + times, 0)
  const parts = sorted.slice(0, maxReasons).map(([words, times]) => `${words} (${count(times)})`)
  if (others > 0) parts.push(`other reasons (${count(others)})`)
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`
}

function sum(figures: readonly VariantReport["quality"][number][], name: "scored" | "total"): number {
  return figures.reduce((all, figure) => all + figure[name], 0)
}

function hanging(text: string, screen: Screen, indent = 3): string[] {
  const first = " ".repeat(indent)
  return paragraph(screen, text, { margin: indent + 4, first, next: `${first}  ` })
}
