import type { AnyMetric } from "../../core/metric/metric.ts"
import type { RobustnessData } from "../../core/report/report-sections.ts"
import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import { between, signed, wordingOf } from "../../words/difference.ts"

/** How many perturbations are shown to harm a variant, and the worst of them. */
export function robustnessSentence(
  variant: string,
  rows: RobustnessData["rows"],
  metric: NamedMetric & Pick<AnyMetric, "direction">,
  alpha: number,
): string {
  const sign = metric.direction === "higher" ? 1 : -1
  const own = rows.flatMap((row) =>
    row.variant === variant && row.drop.status === "known" ? [{ ...row, drop: row.drop }] : [],
  )
  const harmful = own.filter(({ drop, pAdjusted }) => drop.value * sign < 0 && (pAdjusted ?? 1) <= alpha)
  const worst = own.toSorted((a, b) => sign * (a.drop.value - b.drop.value))[0]
  if (!worst) return `${variant}: no perturbation could be compared.`
  const wording = wordingOf(metric)
  const { value, low, high, n } = worst.drop
  const interval = typeof low === "number" && typeof high === "number" ? `, ${between(low, high, wording)}` : ""
  const clear = `${harmful.length} of ${own.length} perturbations harm ${metric.name} beyond chance (Benjamini and Hochberg)`
  return `${variant}: ${clear}; the worst is ${worst.perturbation} with ${signed(value, wording)} (n = ${n}${interval}).`
}

/** Robustness to changes of the input. */
export const robustnessWords = {
  title: "Robustness to small changes of the input",
  worst: "worst score per sample",
  sameText: "same text as without the change",
} as const
