import { createRandom } from "../../core/random.ts"
import { mean, variance } from "../mean.ts"
import { solveLinear } from "../regression/solve-linear.ts"
import { ppiPlus } from "./ppi-plus.ts"

/** Differences, covariates and others of {@link controlVariate}. */
export interface ControlVariateData {
  /** One paired difference per item, in an order that does not depend on when they were finished. */
  readonly differences: ArrayLike<number>
  /** What earlier runs say of each of these items (its mean score); null where they have not asked it. */
  readonly covariates: readonly (number | null)[]
  /** The same of items that earlier runs asked and this one did not: they are what the covariate's own mean is known from. */
  readonly others: ArrayLike<number>
}

/** A mean difference that a control variate has adjusted. */
export interface ControlVariate {
  readonly value: number
  /** Standard error of `value`, and of the plain mean of the differences. */
  readonly error: number
  readonly plainError: number
  /** How much the covariate is believed, 0 to 1. */
  readonly lambda: number
  /** (error / plainError)²: 0.8 is what a quarter more samples would give. */
  readonly varianceRatio: number
  /** Items that have a covariate, and others. */
  readonly matched: number
  readonly others: number
}

/** Fewest items that a regression on the covariate is fitted to. */
export const minAdjusted = 40
const folds = 5

/**
 * Mean paired difference with a control variate: how an item's difference depends on its difficulty is fitted by least squares
 * (a parabola: differences are largest where answers are neither always right nor always wrong), each fold predicted by the other
 * folds, and the mean is moved by what the predictions say of items that were not asked, as much as makes the variance smallest
 * (`ppiPlus`). Right for any quality of the covariate: a useless one gets a weight near 0. An item that is asked of both sides is
 * its own control already, so that without `others` nothing can be gained. Items must be drawn alike. Deng et al. 2013 ("CUPED");
 * Angelopoulos, Duchi & Zrnic 2023.
 *
 * @param seed of the folds
 * @returns null under 40 items with a covariate, without two others, and where nothing varies
 */
export function controlVariate(
  { differences, covariates, others }: ControlVariateData,
  seed: number | string,
): ControlVariate | null {
  const n = differences.length
  const matched = covariates.filter((covariate) => covariate !== null).length
  if (matched < minAdjusted || others.length < 2) return null
  const d = Float64Array.from(differences)
  const plainError = Math.sqrt(variance(d) / n)
  if (!(plainError > 0)) return null
  const values = covariates.filter((covariate): covariate is number => covariate !== null)
  const [centre, scale] = [mean(values), Math.sqrt(variance(values))]
  if (!(scale > 0)) return null
  const features = (x: number) => [1, (x - centre) / scale, ((x - centre) / scale) ** 2]
  const order = createRandom(`${seed}/folds`).shuffle(covariates.flatMap((x, i) => (x === null ? [] : [i])))
  const foldOf = new Map(order.map((i, at) => [i, at % folds]))
  const models = Array.from({ length: folds }, (_, fold) => {
    const train = order.filter((i) => foldOf.get(i) !== fold)
    return leastSquares(
      train.map((i) => features(covariates[i] as number)),
      train.map((i) => d[i] as number),
    )
  })
  const predict = (model: Float64Array, x: number) =>
    features(x).reduce((sum, feature, k) => sum + feature * (model[k] as number), 0)
  const own = covariates.map((x, i) =>
    x === null ? null : predict(models[foldOf.get(i) as number] as Float64Array, x),
  )
  // An item without a covariate is predicted by the others' mean, and moves nothing.
  const defaultValue = mean(own.filter((value): value is number => value !== null))
  const judge = own.map((value) => value ?? defaultValue)
  const judgeOnly = Float64Array.from(others, (x) => mean(models.map((model) => predict(model, x))))
  const fit = ppiPlus({ human: d, judge, judgeOnly })
  const error = fit.error * Math.sqrt(n / (n - 2))
  return {
    value: fit.value,
    error,
    plainError,
    lambda: fit.lambda,
    varianceRatio: (error / plainError) ** 2,
    matched,
    others: others.length,
  }
}

/** Coefficients with a little ridge, so that a column that hardly varies in one fold stays finite. */
function leastSquares(rows: readonly (readonly number[])[], targets: readonly number[]): Float64Array {
  const size = rows[0]?.length ?? 0
  const cross = Array.from({ length: size }, (_, a) =>
    Float64Array.from({ length: size }, (_, b) =>
      rows.reduce((sum, row) => sum + (row[a] as number) * (row[b] as number), a === b && a > 0 ? 1 : 0),
    ),
  )
  const right = Float64Array.from({ length: size }, (_, a) =>
    rows.reduce((sum, row, i) => sum + (row[a] as number) * (targets[i] as number), 0),
  )
  return solveLinear(cross, right)
}
