import type { Figure } from "../../core/report/figure.ts"
import { count } from "../number.ts"
import { percent } from "../percent.ts"

/** Title of the section of given texts, how its figures were made, and why they are unknown. */
export const perplexityTexts = {
  title: (metric: string) => `${metric}: how surprised each model is by the given texts`,
  method: (signature: string, denominator: string) =>
    `${signature}|per:${denominator}; percentile bootstrap over texts`,
  none: (denominator: string) => `the texts have no ${denominator}`,
  fewTexts: "fewer than two texts in common",
  comparable: "Variants with other tokenizers compare by bits per byte and per word, not per token.",
} as const

/**
 * How much better or worse a variant predicts the texts than the first one.
 *
 * @param ratio of its perplexity to the first one's; above 1 it predicts them worse
 */
export function perplexityRatioSentence(variant: string, first: string, ratio: Figure): string {
  if (ratio.status === "unknown") return `${variant} cannot be compared with ${first}: ${ratio.reason}.`
  const { value, low, high, n } = ratio
  const clear = typeof low === "number" && typeof high === "number" && (low > 1 || high < 1)
  if (!clear) return `${variant} reads the texts about as well as ${first} (${change(value)} apart, n = ${count(n)}).`
  const [least, most] = value > 1 ? [low, high] : [high, low]
  return `${variant} is ${change(value)} ${value > 1 ? "more" : "less"} surprised than ${first} (between ${change(least)} and ${change(most)}, n = ${count(n)}).`
}

/** How far a ratio lies from 1, either way: 0.2 % for 1.002, where the ratio itself would read 1. */
function change(ratio: number): string {
  return percent(Math.abs(ratio - 1))
}
