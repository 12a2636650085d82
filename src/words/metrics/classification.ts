import type { ConfusionData } from "../../core/report/report-sections.ts"
import { counted } from "../number.ts"
import { pValue } from "../p-value.ts"

/** Title of the section of a classification, and why a figure of a class is unknown. */
export const classTexts = {
  title: "Which classes are taken for which",
  neverNamed: "no answer names the class",
  noSample: "no sample is of the class",
} as const

/** How many answers name the right class, and the most frequent confusion; `predicted` is null where no class is named. */
export function confusionSentence(
  variant: string,
  { right, answers }: { readonly right: number; readonly answers: number },
  worst: { readonly n: number; readonly actual: string; readonly predicted: string | null } | null,
): string {
  const all = `${variant}: ${right} of ${answers} answers name the right class`
  if (worst === null) return `${all}.`
  const { n, actual, predicted } = worst
  const taken = predicted === null ? `name no class where it is "${actual}"` : `take "${actual}" for "${predicted}"`
  return `${all}; most often wrong: ${n} ${taken}.`
}

/** A confusion that one variant makes more or less often than the baseline. */
export function confusionChangeSentence(change: ConfusionData["changes"][number]): string {
  const { variant, baseline, actual, predicted, added, removed, p } = change
  const what = predicted === null ? `"${actual}" for no class` : `"${actual}" for "${predicted}"`
  return `${variant} takes ${what} in ${counted(added, "sample")} where ${baseline} does not, and no longer in ${removed} (${pValue(p)}, Holm).`
}
