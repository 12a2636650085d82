import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { RouterCurve } from "../../core/report/frontier.ts"
import { isPanelRow } from "../../core/report/section-judge.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { rowsBehind } from "../../rows/columns/metric-rows.ts"
import { figureOf } from "../../rows/columns/scored-rows.ts"
import { bestOfJudge } from "../compare/best-of.ts"
import { type MarginKind, marginFor } from "../compare/margin.ts"
import type { MeanCosts } from "./cascade.ts"
import { cascadeCurve, type RouterOptions, routerCurve } from "./router.ts"

/** Cascades of two stages, of three stages, and best-ofs per judge, at most: what a picture can still show. */
const max = { pairs: 8, triples: 3, bestOfs: 6 }

/** What a run's routers are simulated from. @experimental */
export interface RunRoutersOptions {
  readonly variants: readonly ScoredVariant[]
  /** Cascades that end in it come first. */
  readonly baseline: string
  readonly metrics: readonly AnyMetric[]
  /** The metric that says how good a route is. */
  readonly quality: AnyMetric
  readonly seed: number | string
  /** Largest loss against the last stage alone; in the metric's `unit`, or a `share` of its scale. */
  readonly margin: number
  readonly marginKind?: MarginKind
  /** Share of wrong promises over all cascades of the run, at most. */
  readonly alpha: number
  /** Mean cost of an answer in USD by variant with its interval, for those whose answers have no price of their own (paid by the hour). */
  readonly meanCosts?: MeanCosts
}

/**
 * What the finished answers show about asking more than one variant, with no further call: every cascade "first the cheaper,
 * then the more expensive one when unsure" of two stages, those of three stages that end in the baseline, and every best-of by a judge
 * of the run. Variants are ordered by what an answer costs, by its time where a cost is unknown.
 * @experimental
 */
export function runRouters(options: RunRoutersOptions): RouterCurve[] {
  const { variants, baseline, metrics, quality, meanCosts = new Map() } = options
  const ordered = byPrice(variants, meanCosts)
  const sure = ordered.filter(({ answers }) => factsBehind(answers).figure("confidence") !== null)
  const last = variants.find(({ name }) => name === baseline)
  const rank = (variant: ScoredVariant) => ordered.indexOf(variant)
  const pairs = [
    ...sure.flatMap((first): [ScoredVariant, ScoredVariant][] => (last && first !== last ? [[first, last]] : [])),
    ...sure.flatMap((first) =>
      ordered
        .slice(rank(first) + 1)
        .flatMap((second): [ScoredVariant, ScoredVariant][] => (second === last ? [] : [[first, second]])),
    ),
  ]
  const triples = sure.flatMap((first) =>
    sure
      .slice(sure.indexOf(first) + 1)
      .flatMap((second) => (last && rank(second) < rank(last) ? [[first, second, last]] : [])),
  )
  const judges = metrics.filter((metric) => metric !== quality && isJudge(metric, variants))
  const cascades = [...pairs.slice(0, max.pairs), ...triples.slice(0, max.triples)]
  const routerOptions = (last: ScoredVariant | undefined): RouterOptions => ({
    ...options,
    margin: marginFor(quality, options, levelOf(last, quality)),
    family: cascades.length,
    meanCosts,
  })
  return [
    ...cascades.flatMap((stages) => {
      const [first, second] = stages
      const shared = routerOptions(stages.at(-1))
      if (first && second && stages.length === 2) return routerCurve(first, second, quality, shared) ?? []
      return cascadeCurve(stages, quality, shared) ?? []
    }),
    ...judges.flatMap((judge) =>
      groups(ordered)
        .slice(0, max.bestOfs)
        .flatMap((group) => bestOfJudge(group, quality, judge, meanCosts) ?? []),
    ),
  ]
}

/** All variants together, then every two. */
function groups(ordered: readonly ScoredVariant[]): (readonly ScoredVariant[])[] {
  const pairs = ordered.flatMap((first, i) => ordered.slice(i + 1).map((second) => [first, second]))
  return ordered.length > 2 ? [ordered, ...pairs] : pairs
}

function isJudge(metric: AnyMetric, variants: readonly ScoredVariant[]): boolean {
  return variants.some(({ rows }) => {
    const own = rowsBehind(rows.get(metric.name) ?? [])
    if (!own.hasObjects) return false
    for (let index = 0; index < own.length; index++) if (isPanelRow(own.row(index))) return true
    return false
  })
}

function byPrice(variants: readonly ScoredVariant[], meanCosts: MeanCosts): ScoredVariant[] {
  const means = (figure: "costUsd" | "e2eMs") =>
    new Map(variants.map((variant) => [variant.name, meanOf(variant, figure)]))
  const cost = new Map([...means("costUsd")].map(([name, own]) => [name, own ?? meanCosts.get(name)?.value ?? null]))
  const figure = [...cost.values()].every((value) => value !== null) ? cost : means("e2eMs")
  return [...variants].sort((a, b) => (figure.get(a.name) ?? 0) - (figure.get(b.name) ?? 0))
}

function meanOf({ answers }: ScoredVariant, figure: "costUsd" | "e2eMs"): number | null {
  const facts = factsBehind(answers)
  const values = facts.figure(figure)
  let [sum, count] = [0, 0]
  for (let index = 0; values && index < facts.length; index++) {
    if (Number.isNaN(values[index]) || !isAnswered(facts.outcome(index))) continue
    sum += values[index] as number
    count++
  }
  return count === 0 ? null : sum / count
}

/** A variant's own figure: what a margin that is a share of an unbounded metric is a share of. */
function levelOf(variant: ScoredVariant | undefined, metric: AnyMetric): number | null {
  return figureOf(metric, rowsBehind(variant?.rows.get(metric.name) ?? []))
}
