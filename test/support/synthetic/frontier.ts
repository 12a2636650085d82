import type { Figure } from "../../../src/core/report/figure.ts"
import type { Frontier, FrontierPoint, RouterCurve } from "../../../src/core/report/frontier.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import type { Tally } from "./tally.ts"

/** The Pareto set of quality against cost, as the engine would write it. */
export function syntheticFrontier(variants: readonly VariantReport[]): Frontier {
  const rows = variants.map((variant) => ({
    name: variant.name,
    figures: [variant.quality[0]?.figure as Figure, variant.cost.perQueryUsd, variant.speed.e2eMs.p50],
  }))
  const complete = rows.filter((row) => row.figures.every((figure) => figure.status === "known"))
  const value = (figure: Figure) => (figure.status === "known" ? figure.value : 0)
  const dominates = (a: (typeof rows)[number], b: (typeof rows)[number]) => {
    const better = (x: number, y: number, index: number) => (index === 0 ? x >= y : x <= y)
    return a.figures.every((figure, index) => better(value(figure), value(b.figures[index] as Figure), index))
  }
  const points: FrontierPoint[] = complete.map((row) => {
    const dominatedBy = complete.filter((other) => other !== row && dominates(other, row)).map((other) => other.name)
    return {
      variant: row.name,
      values: row.figures.map(value),
      intervals: row.figures.map((figure) =>
        figure.status === "known" && figure.low != null && figure.high != null
          ? { low: figure.low, high: figure.high }
          : null,
      ),
      onFrontier: dominatedBy.length === 0,
      membershipProbability: dominatedBy.length === 0 ? 0.97 : 0.04,
      dominatedBy,
      tieGroup: null,
      meetsConstraints: true,
    }
  })
  return {
    axes: [
      { name: "quality", goal: "maximize" },
      { name: "costUsd", goal: "minimize" },
      { name: "e2eMs", goal: "minimize" },
    ],
    points,
    excluded: rows
      .filter((row) => !complete.includes(row))
      .map((row) => ({ variant: row.name, reason: "costUsd: no price is known" })),
    knee: null,
    hypervolume: 0.62,
    dominance: null,
    constraints: [],
    method: "joint bootstrap, 2,000 resamples, seed 42",
  }
}

/** A cascade from the small variant to the baseline. */
export function syntheticRouter(tallies: readonly Tally[]): RouterCurve {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const large = tallies[0] as Tally
  const small = tallies[3] ?? large
  const points = Array.from({ length: 21 }, (_, index) => {
    const escalated = index / 20
    const lift = 1 - (1 - escalated) ** 2
    return {
      threshold: escalated,
      quality: mean(small.exact) + (mean(large.exact) - mean(small.exact)) * lift,
      costUsd: mean(small.usd) + escalated * mean(large.usd),
      e2eMs: mean(small.e2e) + escalated * mean(large.e2e),
      escalated,
    }
  })
  return {
    stages: [small.variant.name, large.variant.name],
    points,
    chosen: { threshold: 0.6, quality: mean(large.exact) - 0.01, escalated: 0.35 },
    method: "5 folds, seed 42",
  }
}
