import type { Figure } from "../../core/figure.ts"
import { cohensKappa } from "../../stats/cohen-kappa.ts"
import { krippendorffAlpha } from "../../stats/krippendorff-alpha.ts"
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
  /** Cohen's kappa: unweighted for two categories, quadratic weights for more. */
  readonly kappa: Figure
  /** Krippendorff's alpha: nominal for two values, ordinal for up to 20, interval for more. */
  readonly alpha: Figure
}

/** Agreement, kappa and alpha of two sides, each with its interval. */
export function agreementFigures(
  items: readonly RatedTwice[],
  options: { readonly seed: number | string; readonly nothing: string },
): AgreementFigures {
  const values = new Set(items.flatMap(({ a, b }) => [a, b])).size
  const weights = values > 2 ? "quadratic" : "none"
  const level = values > 20 ? "interval" : values > 2 ? "ordinal" : "nominal"
  const undefinedWhen =
    items.length === 0 ? options.nothing : "only one rating occurs, so that chance explains all of it"
  return {
    agreement: shareFigure(items.filter(({ a, b }) => a === b).length, items.length, options.nothing),
    kappa: statisticFigure(items, (list) => kappaOf(list, weights), {
      seed: `${options.seed}/kappa`,
      name: `Cohen's kappa, ${weights === "none" ? "no" : weights} weights`,
      undefinedWhen,
    }),
    alpha: statisticFigure(
      items,
      (list) =>
        krippendorffAlpha(
          list.map(({ a, b }) => [a, b]),
          level,
        ),
      {
        seed: `${options.seed}/alpha`,
        name: `Krippendorff's alpha, ${level}`,
        undefinedWhen,
      },
    ),
  }
}

/** Cohen's kappa of rated items. */
export function kappaOf(items: readonly RatedTwice[], weights: "none" | "linear" | "quadratic"): number {
  return cohensKappa(
    items.map(({ a }) => a),
    items.map(({ b }) => b),
    { weights },
  )
}
