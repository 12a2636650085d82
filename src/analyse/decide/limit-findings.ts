import type { AnyMetric } from "../../core/metric/metric.ts"
import type { KnownFigure } from "../../core/report/figure.ts"
import type { LimitFinding } from "../../core/report/limit.ts"
import type { VariantReport } from "../../core/report/report.ts"
import { type Constraint, limitState, parseConstraints } from "../../estimate/constraints.ts"
import { reportFigure } from "../../estimate/report-figure.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { gateWords } from "../../wording/gate.ts"
import { figureAmount, isShareFigure, type NumberWords } from "../../words/figures/figure-amount.ts"
import { figureWords } from "../../words/figures/figure-name.ts"
import { amount, counted } from "../../words/number.ts"

/**
 * Every limit against what a variant's report says, in the order in which they are written: one finding each, kept ones too.
 * `quality` is the first metric that decides, `metrics` have what each is called and measured in. A rate is written as per cent
 * where its limit is written so.
 */
export function limitFindings(
  report: VariantReport,
  constraints: readonly string[],
  quality: string | undefined,
  metrics: readonly Pick<AnyMetric, "name" | "title" | "unit" | "range">[] = [],
): LimitFinding[] {
  return constraints.flatMap(parseConstraints).map((constraint) => {
    const { figure: name, text: limit, limit: bound, inclusive } = constraint
    const asMeant = name === "quality" ? (quality ?? name) : name
    const figure = reportFigure(report, asMeant)
    const asked = { limit, figure: name, side: constraint.below ? "below" : "above", bound, inclusive } as const
    if (figure.status === "unknown") return { ...asked, state: "unknown", found: figure.reason }
    const inPercent = limit.includes("%") || !isShareFigure(asMeant, metrics)
    const print = (value: number) => (inPercent ? figureAmount(asMeant, value, metrics) : amount(value))
    const state = limitState(figure, constraint)
    return {
      ...asked,
      state,
      value: figure.value,
      ...(figure.low !== undefined && { low: figure.low }),
      ...(figure.high !== undefined && { high: figure.high }),
      found: `${figureWords(asMeant, metrics)} is ${print(figure.value)}${intervalWords(print, figure)}${state === "open" ? shownBy(constraint) : ""}`,
    }
  })
}

/** How many requests it takes to show that failures are as rare as a limit says: many, where few can refute it. */
function shownBy({ figure, below, limit }: Constraint): string {
  const share = figure === "attemptFailures" && below ? limit : figure === "availability" && !below ? 1 - limit : 0
  if (share <= 0 || share >= 1) return ""
  const z = normalQuantile(0.975)
  return gateWords.fewestRequests(counted(Math.ceil((z * z * (1 - share)) / share), "request"))
}

/** ", between 750 ms and 900 ms": nothing for an exact figure, or one whose bounds read alike. */
function intervalWords(print: NumberWords, { low, high, n }: KnownFigure): string {
  if (low === undefined || high === undefined) return ""
  if (low === null || high === null)
    return `, which ${counted(n, "answer")} ${n === 1 ? "does" : "do"} not bound ${high === null ? "from above" : "from below"}`
  const [from, to] = [print(low), print(high)]
  return from === to ? "" : `, between ${from} and ${to}`
}
