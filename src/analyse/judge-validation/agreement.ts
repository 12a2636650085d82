import { type Figure, unknown } from "../../core/report/figure.ts"
import { cohensKappa } from "../../stats/agreement/cohen-kappa.ts"
import { krippendorffAlpha } from "../../stats/agreement/krippendorff-alpha.ts"
import {
  alphaOfCounts,
  kappaOfCounts,
  minRareMarks,
  type TwoRaterCounts,
  twoRaterInterval,
} from "../../stats/agreement/two-rater-interval.ts"
import { variance } from "../../stats/mean.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { shareFigure, statisticFigure } from "./figures.ts"

/** One item rated by two sides: a judge and people, or a judge and the rest of its panel. */
export interface RatedTwice {
  readonly a: number
  readonly b: number
}

/** How far two sides agree. */
export interface AgreementFigures {
  /** Share of equal ratings. */
  readonly agreement: Figure
  /** Cohen's kappa: unweighted for two categories, quadratic weights for more, unknown for over 20. */
  readonly kappa: Figure
  /** Krippendorff's alpha: nominal for two values, ordinal for up to 20, interval for more. */
  readonly alpha: Figure
}

/** How the intervals are made. */
export interface AgreementOptions {
  readonly seed: number | string
  /** Why there is nothing, without an item. */
  readonly emptyReason: string
  /** 1 − the level of the intervals. */
  readonly alpha: number
}

/** Different values from which on scores are no categories any more. */
const maxCategories = 20

/** Agreement, kappa and alpha of two sides, each with its interval. */
export function agreementFigures(items: readonly RatedTwice[], options: AgreementOptions): AgreementFigures {
  const values = valuesOf(items)
  return {
    agreement: shareFigure(
      items.filter(({ a, b }) => a === b).length,
      items.length,
      options.emptyReason,
      options.alpha,
    ),
    kappa: kappaFigure(items, values > 2 ? "quadratic" : "none", options),
    alpha: alphaFigure(items, options),
  }
}

/** Cohen's kappa with its interval; unknown for scores that are no categories. */
export function kappaFigure(
  items: readonly RatedTwice[],
  weights: "none" | "quadratic",
  options: AgreementOptions,
): Figure {
  if (valuesOf(items) > maxCategories) return unknown(noJudgeFigure.manyScores(maxCategories))
  const kappa = (list: readonly RatedTwice[]) =>
    cohensKappa(
      list.map(({ a }) => a),
      list.map(({ b }) => b),
      { weights },
    )
  if (valuesOf(items) === 2)
    return twoAnswerFigure(items, kappa(items), kappaOfCounts, {
      seed: `${options.seed}/kappa`,
      name: "Cohen's kappa",
      alpha: options.alpha,
    })
  return statisticFigure(items, kappa, {
    seed: `${options.seed}/kappa`,
    name: `Cohen's kappa, ${weights === "none" ? "no" : weights} weights`,
    undefinedWhen: undefinedWhen(items, options.emptyReason),
    alpha: options.alpha,
  })
}

function alphaFigure(items: readonly RatedTwice[], options: AgreementOptions): Figure {
  const values = valuesOf(items)
  const level = values > maxCategories ? "interval" : values > 2 ? "ordinal" : "nominal"
  const coefficient = (list: readonly RatedTwice[]) =>
    level === "interval"
      ? intervalAlpha(list)
      : krippendorffAlpha(
          list.map(({ a, b }) => [a, b]),
          level,
        )
  if (values === 2)
    return twoAnswerFigure(items, coefficient(items), alphaOfCounts, {
      seed: `${options.seed}/alpha`,
      name: "Krippendorff's alpha, nominal",
      alpha: options.alpha,
    })
  return statisticFigure(items, coefficient, {
    seed: `${options.seed}/alpha`,
    name: `Krippendorff's alpha, ${level}`,
    undefinedWhen: undefinedWhen(items, options.emptyReason),
    alpha: options.alpha,
  })
}

/** A coefficient of ratings that are one of two, with the interval of its posterior. */
function twoAnswerFigure(
  items: readonly RatedTwice[],
  value: number,
  coefficient: (counts: TwoRaterCounts) => number,
  { seed, name, alpha }: { readonly seed: string; readonly name: string; readonly alpha: number },
): Figure {
  const high = items.reduce((max, { a, b }) => Math.max(max, a, b), Number.NEGATIVE_INFINITY)
  const cell = (isFirst: boolean, isSecond: boolean) =>
    items.filter(({ a, b }) => (a === high) === isFirst && (b === high) === isSecond).length
  const counts: TwoRaterCounts = [cell(true, true), cell(true, false), cell(false, true), cell(false, false)]
  const bounds = twoRaterInterval(counts, coefficient, { seed, alpha })
  const n = items.length
  const method = bounds ? judgeMethods.posterior(n, seed) : judgeMethods.rareAnswer(minRareMarks)
  return {
    status: "known",
    value,
    low: bounds ? Math.min(value, bounds.low) : null,
    high: bounds ? Math.max(value, bounds.high) : null,
    n,
    method: `${name}, ${method}`,
  }
}

/**
 * Krippendorff's alpha of two raters on an interval scale without missing ratings, in linear time: 1 − mean (a − b)² over
 * twice the variance of all ratings.
 */
export function intervalAlpha(items: readonly RatedTwice[]): number {
  const observed = items.reduce((sum, { a, b }) => sum + (a - b) ** 2, 0) / items.length
  return 1 - observed / (2 * variance(items.flatMap(({ a, b }) => [a, b])))
}

function valuesOf(items: readonly RatedTwice[]): number {
  return new Set(items.flatMap(({ a, b }) => [a, b])).size
}

function undefinedWhen(items: readonly RatedTwice[], emptyReason: string): string {
  return items.length === 0 ? emptyReason : noJudgeFigure.oneRating
}
