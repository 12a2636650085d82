import type { Figure } from "../../core/report/figure.ts"
import { listed } from "../../words/names.ts"
import { counted } from "../../words/number.ts"
import { percentChange } from "../../words/percent.ts"

/** A part of the texts, and how its perplexity changed. */
export interface ComparedPart {
  readonly part: { readonly by: string; readonly title: string }
  /** Change in per cent. */
  readonly figure: Figure
  readonly isMoved: boolean
}

/** In which parts of the texts a candidate is more or less surprised than the baseline. */
export function candidateSentence(candidate: string, baseline: string, changes: readonly ComparedPart[]): string {
  const values = changes.flatMap(({ part, figure, isMoved }) =>
    figure.status === "known" ? [{ name: `${part.by} ${part.title}`, value: figure.value, by: part.by, isMoved }] : [],
  )
  if (values.length === 0) return `${candidate} cannot be compared with ${baseline} part by part.`
  const moved = values.filter(({ isMoved, by }) => isMoved && by !== "all")
  const parts = values.filter(({ by }) => by !== "all").length
  if (moved.length === 0)
    return `${candidate} is not shown to differ from ${baseline} in any of ${counted(parts, "part")} of the texts.`
  const max = moved.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 3)
  const named = max.map(({ name, value }) => `${name} (${percentChange(value / 100)})`)
  return `${candidate} differs from ${baseline} in ${moved.length} of ${counted(parts, "part")} of the texts, most in ${listed(named)}.`
}

/** Perplexity by parts of the texts. */
export const surprisalWords = {
  part: "part of the texts",
  rare: "seen once or twice",
  late: "tokens after the 512th",
  title: "Perplexity by word frequency, position and field",
  method: (baseline: string, level: string) =>
    `How often a token is seen is counted in the texts of this run as ${baseline} reads them. Changes are those of the perplexity over the same texts, tested for all rows together (Benjamini and Hochberg at ${level}); the intervals are of each row alone.`,
} as const
