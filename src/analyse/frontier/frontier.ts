import { createRandom } from "../../core/random.ts"
import type { Frontier, FrontierAxis, FrontierPoint, LimitState } from "../../core/report/frontier.ts"
import { type Constraint, keepsConstraint, limitState, parseConstraints } from "../../estimate/constraints.ts"
import { hypervolume } from "../../stats/ranking/hypervolume.ts"
import { kneeOf } from "../../stats/ranking/knee.ts"
import { dominates, nondominated } from "../../stats/ranking/pareto.ts"
import { methods } from "../../wording/methods.ts"
import { tieGroups } from "../compare/tie-groups.ts"
import { type AxisResamples, resampleAxes } from "./frontier-resamples.ts"
import type { FigureBounds, FrontierVariant } from "./frontier-variant.ts"

/** Options of {@link computeFrontier}. @experimental */
export interface FrontierOptions {
  readonly axes: readonly FrontierAxis[]
  readonly variants: readonly FrontierVariant[]
  readonly constraints?: readonly string[]
  readonly seed: number | string
  /** 1,000 by default; 0 leaves probabilities out. */
  readonly resamples?: number
  readonly alpha?: number
  /** Cluster of each sample, numbered from 0. */
  readonly clusters?: Int32Array
}

/**
 * The Pareto set over the axes with its uncertainty: samples are drawn jointly and the set is taken again each time.
 * Variants with an unknown axis are left out, with the reason. Axes without samples count as exact.
 * @experimental
 */
export function computeFrontier(options: FrontierOptions): Frontier {
  const { axes, seed, resamples = 1000, alpha = 0.05 } = options
  const excluded: { variant: string; reason: string }[] = []
  const variants = options.variants.filter(({ name, values }) => {
    const missing = axes.find((_, k) => !Number.isFinite(values[k] ?? Number.NaN))
    if (missing) excluded.push({ variant: name, reason: `${missing.name} is unknown` })
    return !missing
  })
  const points = variants.map((variant) => minimised(axes, variant.values as readonly number[]))
  const members = new Set(nondominated(points))
  const draws = resampleAxes(axes, variants, createRandom(`${seed}/frontier`), resamples, {
    alpha,
    clusters: options.clusters,
  })
  const odds = draws && resampledSets(axes, draws)
  const ties = draws ? tieGroups(draws, alpha) : variants.map(() => null)
  const constraints = (options.constraints ?? []).flatMap(parseConstraints)
  const front = [...members]
  const knee = kneeOf(front.map((i) => points[i] as number[]))
  return {
    axes,
    points: variants.map((variant, i): FrontierPoint => {
      const intervals = axes.map((_, k) => interval(variant.bounds?.[k]) ?? draws?.interval(i, k, alpha) ?? null)
      return {
        variant: variant.name,
        values: variant.values as readonly number[],
        intervals,
        onFrontier: members.has(i),
        membershipProbability: odds ? (odds.membership[i] as number) : null,
        dominatedBy: variants.flatMap((other, j) =>
          dominates(points[j] as number[], points[i] as number[]) ? [other.name] : [],
        ),
        tieGroup: ties[i] ?? null,
        meetsConstraints: constraints.every((constraint) =>
          keepsConstraint(valueFor(axes, variant, constraint), constraint),
        ),
        ...(constraints.length > 0 && { limits: limitsOf(axes, variant, intervals, constraints) }),
      }
    }),
    excluded,
    knee: knee === null ? null : (variants[front[knee] as number]?.name ?? null),
    hypervolume: scaledHypervolume(points),
    dominance: odds ? odds.dominance : null,
    constraints: constraints.map(({ text }) => text),
    method: draws ? methods.jointBootstrap(draws.samples, resamples, seed) : methods.pointEstimates,
  }
}

/** Bounds with both ends. */
function interval(bounds: FigureBounds | null | undefined): FrontierPoint["intervals"][number] {
  const { low = null, high = null } = bounds ?? {}
  return low === null || high === null ? null : { low, high }
}

/** Turns every axis so that smaller is better. */
export function minimised(axes: readonly FrontierAxis[], values: readonly number[]): number[] {
  return values.map((value, k) => (axes[k]?.goal === "maximize" ? -value : value))
}

function resampledSets(axes: readonly FrontierAxis[], draws: AxisResamples) {
  const count = draws.variants
  const membership = new Array<number>(count).fill(0)
  const dominance = Array.from({ length: count }, () => new Array<number>(count).fill(0))
  let used = 0
  for (let r = 0; r < draws.resamples; r++) {
    const points = Array.from({ length: count }, (_, i) => minimised(axes, draws.point(r, i)))
    if (points.some((point) => point.some(Number.isNaN))) continue
    used++
    for (const i of nondominated(points)) membership[i]!++
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++)
        if (dominates(points[i] as number[], points[j] as number[])) (dominance[i] as number[])[j]!++
  }
  if (used === 0) return null
  return {
    membership: membership.map((hits) => hits / used),
    dominance: dominance.map((row) => row.map((hits) => hits / used)),
  }
}

/** Hypervolume after each axis is scaled to 0 (best) .. 1 (worst of the variants), reference point 1; 0..1. */
function scaledHypervolume(points: readonly number[][]): number | null {
  const axes = points[0]?.length ?? 0
  if (points.length < 2) return null
  const low = Array.from({ length: axes }, (_, k) => Math.min(...points.map((point) => point[k] as number)))
  const range = Array.from(
    { length: axes },
    (_, k) => Math.max(...points.map((p) => p[k] as number)) - (low[k] as number),
  )
  if (range.some((width) => width === 0)) return null
  const scaled = points.map((point) => point.map((value, k) => (value - (low[k] as number)) / (range[k] as number)))
  return hypervolume(scaled, new Array<number>(axes).fill(1))
}

function valueFor(axes: readonly FrontierAxis[], variant: FrontierVariant, { figure, subject }: Constraint) {
  return figureOf(axes, variant, figure) ?? figureOf(axes, variant, subject)
}

/** All limits together: by the interval where the figure is an axis with one, else by its value. */
function limitsOf(
  axes: readonly FrontierAxis[],
  variant: FrontierVariant,
  intervals: FrontierPoint["intervals"],
  constraints: readonly Constraint[],
): LimitState {
  const states = constraints.map((constraint) => {
    const value = valueFor(axes, variant, constraint)
    if (value === null) return "open"
    const axis = axes.findIndex(({ name }) => name === constraint.figure || name === constraint.subject)
    const bounds = variant.figureBounds?.[constraint.figure] ?? variant.figureBounds?.[constraint.subject]
    return limitState({ value, ...(bounds ?? (axis >= 0 && intervals[axis])) }, constraint)
  })
  if (states.includes("violated")) return "violated"
  return states.includes("open") ? "open" : "kept"
}

function figureOf(axes: readonly FrontierAxis[], variant: FrontierVariant, name: string): number | null {
  const figure = variant.figures?.[name]
  if (figure !== undefined) return figure
  const axis = axes.findIndex((candidate) => candidate.name === name)
  return axis < 0 ? null : (variant.values[axis] ?? null)
}
