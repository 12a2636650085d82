import type { AnyMetric } from "../../core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import { meanFigure } from "../../perf/distribution.ts"
import { countRows } from "../../rows/missing-rows.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { mean, variance } from "../../stats/mean.ts"
import { defaultPower } from "../../stats/tests/power.ts"
import { methods } from "../../wording/methods.ts"
import { noFigure } from "../../wording/reasons.ts"
import { servingReasons } from "../../words/perf/serving.ts"
import type { CompareOptions } from "../compare/comparison-of.ts"

/** What happens when the candidate answers a share of the traffic, from answers of both to the same requests. @experimental */
export interface CanaryStep {
  /** Share of the requests that the candidate answers, 0 < share < 1. */
  readonly share: number
  /** Mean of the metric over all requests, with its interval. */
  readonly quality: Figure
  /** Over all requests, in milliseconds. */
  readonly ttftMs: { readonly p50: Figure; readonly p95: Figure }
  readonly e2eMs: { readonly p50: Figure; readonly p95: Figure }
  /** US dollars per request. */
  readonly costUsd: Figure
  /**
   * Requests in all, until a loss of the margin by the candidate is found with the stated power, where each request has one answer only:
   * the two sides answer different requests.
   */
  readonly requestsToDetect: Figure
  /** The same where the candidate is asked beside the baseline on its share, unseen: the answers are paired. */
  readonly requestsInShadow: Figure
  /** Days of `requestsToDetect`; unknown without the traffic of a day. */
  readonly days: Figure
}

/** Options of {@link canarySteps}. */
export interface CanaryOptions extends Pick<CompareOptions, "baseline" | "candidate" | "missing" | "absentRows"> {
  readonly metric: AnyMetric
  /** The loss that must be found, in the metric's own unit. */
  readonly margin: number
  readonly shares: readonly number[]
  /** One-sided error rate of the test. */
  readonly alpha: number
  /** Requests of a day; null: not stated. */
  readonly requestsPerDay: number | null
  readonly power?: number
}

/**
 * A canary at several shares, computed from answers that both variants gave to the same recorded requests. Failed answers
 * count in quality as in the verdict; times and costs are those of the answers that were measured.
 *
 * The challenger that must be found is one that loses: its scores are taken to scatter at least as production's do, though those of the
 * challenger at hand may all be right. For a loss m, a one-sided error rate α and a power: n = (z₁₋α + z_power)² · (σ_b² / (1 − s) + σ_c² / s) / m² requests in all where
 * each is answered once, and (z₁₋α + z_power)² · σ_d² / (s · m²) where the candidate's share is answered by both.
 *
 * @experimental
 */
export function canarySteps(options: CanaryOptions): readonly CanaryStep[] {
  const { baseline, candidate, alpha, requestsPerDay } = options
  const pairs = pairedValues(options)
  return options.shares.map((share) => {
    const mixed = pairs.map(([a, b]) => (1 - share) * a + share * b)
    const needed = requestsFor(pairs, share, options)
    const [b, c] = [baseline.answers, candidate.answers]
    return {
      share,
      quality: pairs.length === 0 ? unknown(noFigure.noBothRequests) : meanFigure(Float64Array.from(mixed), "", alpha),
      ttftMs: mixedTimes(b, c, "ttftMs", share),
      e2eMs: mixedTimes(b, c, "e2eMs", share),
      costUsd: mixedCost(b, c, share),
      ...needed,
      days:
        requestsPerDay === null
          ? unknown(noFigure.requestsNotStated)
          : needed.requestsToDetect.status === "unknown"
            ? needed.requestsToDetect
            : { ...needed.requestsToDetect, value: needed.requestsToDetect.value / requestsPerDay },
    }
  })
}

/** Scores of both sides of each request; an answer that failed counts as the verdict counts it. */
function pairedValues(options: CanaryOptions): readonly (readonly [number, number])[] {
  const { baseline, candidate, metric, missing = "worst", absentRows = "not_asked" } = options
  const rowsOf = ({ rows }: ScoredVariant) => rows.get(metric.name) ?? []
  return countRows(metric, rowsOf(baseline), rowsOf(candidate), { missing, absentRows }).all.flatMap((pair) => {
    const [from, to] = [pair.baseline.value, pair.candidate.value]
    return from == null || to == null ? [] : [[from, to] as const]
  })
}

/** Scores below this number say nothing of how much they scatter. */
const minPairs = 10

function requestsFor(
  pairs: readonly (readonly [number, number])[],
  share: number,
  { margin, alpha, power = defaultPower }: CanaryOptions,
): Pick<CanaryStep, "requestsToDetect" | "requestsInShadow"> {
  if (pairs.length < minPairs || margin <= 0) {
    const none = unknown(margin <= 0 ? noFigure.noLossAllowed : noFigure.fewBothRequests(minPairs))
    return { requestsToDetect: none, requestsInShadow: none }
  }
  const z2 = (normalQuantile(1 - alpha) + normalQuantile(power)) ** 2 / margin ** 2
  const [own, other, difference] = [pairs.map(([a]) => a), pairs.map(([, b]) => b), pairs.map(([a, b]) => b - a)].map(
    (values) => variance(values),
  ) as [number, number, number]
  const figure = (value: number, method: string): Figure =>
    value > 0 ? { status: "known", value: Math.ceil(value), n: pairs.length, method } : unknown(noFigure.noScatter)
  return {
    requestsToDetect: figure(z2 * (own / (1 - share) + Math.max(own, other) / share), methods.independentMeans),
    requestsInShadow: figure((z2 * difference) / share, methods.pairedShare),
  }
}

function mixedTimes(
  a: readonly AnswerFacts[],
  b: readonly AnswerFacts[],
  figure: "ttftMs" | "e2eMs",
  share: number,
): { readonly p50: Figure; readonly p95: Figure } {
  const [own, other] = [a, b].map((answers) => answers.flatMap((answer) => answer[figure] ?? [])) as [
    number[],
    number[],
  ]
  if (own.length === 0 || other.length === 0) {
    const none = unknown(noFigure.oneSideUntimed)
    return { p50: none, p95: none }
  }
  const weighted = [
    ...own.map((value) => ({ value, weight: (1 - share) / own.length })),
    ...other.map((value) => ({ value, weight: share / other.length })),
  ].sort((x, y) => x.value - y.value)
  const at = (quantile: number): Figure => {
    let sum = 0
    const result =
      weighted.find(({ weight }) => {
        sum += weight
        return sum >= quantile - 1e-12
      }) ?? weighted.at(-1)
    return {
      status: "known",
      value: result?.value ?? 0,
      n: weighted.length,
      method: methods.mixedPercentile(quantile * 100),
    }
  }
  return { p50: at(0.5), p95: at(0.95) }
}

function mixedCost(a: readonly AnswerFacts[], b: readonly AnswerFacts[], share: number): Figure {
  const [own, other] = [a, b].map((answers) => answers.flatMap(({ costUsd }) => costUsd ?? [])) as [number[], number[]]
  if (own.length < a.length || other.length < b.length || own.length === 0 || other.length === 0)
    return unknown(servingReasons.noCost)
  return {
    status: "known",
    value: (1 - share) * mean(own) + share * mean(other),
    n: own.length + other.length,
    method: methods.weightedCosts,
  }
}
