import { normalCdf, normalQuantile } from "../distributions.ts"
import { extensionLevel } from "./alpha-spending.ts"

/** Share of what may still be spent that a reading spends when another one may follow. @public */
export const spentByReading = 0.9

/** From this one-sided p on a stage leaves nothing for a later one. */
const maxP = 0.399
const minP = 1e-7
/** Points at which a stage's bound is computed; between them it is interpolated. */
const gridPoints = 32

/** How the samples of a run that was extended are read. */
export interface StagedOptions {
  /** Error of all readings together. */
  readonly alpha?: number
  /** Whether the run may be extended again, so that a part of alpha is kept. */
  readonly more?: boolean
}

/** The one-sided level at which a run is read that may be extended later. @public */
export function readingLevel(alpha: number, more: boolean): number {
  return more ? spentByReading * alpha : alpha
}

/**
 * Level for the samples that come next, when those so far had the one-sided p: the conditional error of a design with two
 * stages of equal weight (inverse normal combination), of which the first spends 0.9 of `budget`. How many samples come next,
 * and why, may depend on everything that was seen. Müller & Schäfer 2001, "Adaptive group sequential designs for clinical
 * trials"; Brannath, Posch & Bauer 2002, "Recursive combination tests".
 *
 * @param p one-sided p of the stage, 0..1; @param budget level that the stage began with
 * @example conditionalLevel(0.1, 0.05) // 0.028; after p = 0.06 it is 0.049, as much as a new run has
 */
export function conditionalLevel(p: number, budget: number): number {
  if (!(budget > minP)) return 0
  const combined = combinedLevel(budget)
  return normalCdf(Math.SQRT2 * normalQuantile(combined) + normalQuantile(1 - p))
}

/** Level of both stages together that spends the last tenth of the budget; between the points of a grid it is interpolated. */
function combinedLevel(budget: number): number {
  const at = -normalQuantile(budget) / gridStep
  const before = Math.floor(at)
  const part = at - before
  return normalCdf(-((1 - part) * combinedQuantile(before) + part * combinedQuantile(before + 1)))
}

/** Distance of the budgets, as normal quantiles, for which the level is computed: it is off by less than 1e-4 of itself between. */
const gridStep = 0.1
const combinedQuantiles = new Map<number, number>()

function combinedQuantile(index: number): number {
  let quantile = combinedQuantiles.get(index)
  if (quantile === undefined) {
    const budget = normalCdf(-index * gridStep)
    const level = extensionLevel({ first: 1, total: 2, firstLevel: spentByReading * budget, alpha: budget }) as number
    quantile = -normalQuantile(level)
    combinedQuantiles.set(index, quantile)
  }
  return quantile
}

/**
 * Lower bound of a mean from the stages of a run that was extended, each given as the lower bound of its own samples by
 * one-sided level: at 1 − alpha over all readings together, however the numbers of samples were chosen. A stage is read when it
 * ends ({@link readingLevel}); where it did not settle the question, what is left ({@link conditionalLevel}) is spent on the
 * samples of the next.
 *
 * @param stages rising functions of the level, at least one; −Infinity where nothing bounds the mean
 */
export function stagedLowerBound(
  stages: readonly ((level: number) => number)[],
  { alpha = 0.05, more = false }: StagedOptions = {},
): number {
  const [only] = stages
  if (!only) throw new RangeError("a bound needs at least one stage")
  if (stages.length === 1) return only(readingLevel(alpha, more))
  const read = stages.map(onGrid)
  /** Whether the mean is shown to be above. */
  const isAbove = (mean: number) => levelLeft(read, mean, alpha, more) === null
  const ends = stages.flatMap((stage) => [stage(minP), stage(maxP)]).filter(Number.isFinite)
  let low = Math.min(...ends)
  let high = Math.max(...ends)
  if (ends.length === 0 || !isAbove(low)) return Number.NEGATIVE_INFINITY
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (isAbove(middle)) low = middle
    else high = middle
  }
  return low
}

/** What is left for the samples of another stage to show that the mean is above `mean`; null where that is shown already. @public */
export function stagedLevelLeft(
  stages: readonly ((level: number) => number)[],
  mean: number,
  { alpha = 0.05 }: Pick<StagedOptions, "alpha"> = {},
): number | null {
  return levelLeft(stages.map(onGrid), mean, alpha, true)
}

function levelLeft(stages: readonly StageP[], mean: number, alpha: number, more: boolean): number | null {
  let budget = alpha
  for (const [i, pOf] of stages.entries()) {
    const p = pOf(mean)
    if (p <= readingLevel(budget, more || i < stages.length - 1)) return null
    if (p > maxP) return 0
    budget = conditionalLevel(p, budget)
  }
  return budget
}

/** One-sided p of a stage by mean. */
type StageP = (mean: number) => number

/** The p of a stage: the level at which its bound is the mean, from bounds at levels that are evenly spaced as normal quantiles. */
function onGrid(bound: (level: number) => number): StageP {
  const from = normalQuantile(minP)
  const width = (normalQuantile(maxP) - from) / (gridPoints - 1)
  const quantiles = Array.from({ length: gridPoints }, (_, i) => from + i * width)
  const bounds = quantiles.map((z) => bound(normalCdf(z)))
  return (mean) => {
    const next = bounds.findIndex((limit) => limit > mean)
    // The bound at leastP is above the mean already; or not even that at maxP is, and then p is larger.
    if (next === 0) return minP
    if (next < 0) return 1 - 1e-9
    const [below, above] = [bounds[next - 1] as number, bounds[next] as number]
    const part = Number.isFinite(below) ? (mean - below) / (above - below) : 1
    return normalCdf((quantiles[next - 1] as number) + part * width)
  }
}
