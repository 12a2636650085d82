import type { PairMetric } from "../../core/metric/pair-metric.ts"

/** How answers differ from a baseline's by a pair metric. */
export const divergenceWords = {
  title: ({ name, title = name, isTokenDivergence }: PairMetric, baseline: string) =>
    `${isTokenDivergence ? "Token distributions" : title} compared with ${baseline}`,
  ranked: ({ name, title = name, unit }: PairMetric, baseline: string, ranks: string) =>
    `Mean ${title} from ${baseline}${unit === undefined ? "" : ` in ${unit}`}, smallest first: ${ranks}.`,
  lowerBound:
    "Compared up to the first token that differs; tokens outside both lists of alternatives are one bin, so each figure is a lower bound.",
} as const
