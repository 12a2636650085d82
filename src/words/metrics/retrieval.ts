/** Title of the section of lost answers, what it counts, and why a figure is unknown. */
export const lostTexts = {
  title: (metric: string) => `Which stage lost the answer (${metric})`,
  definition:
    "A stage lost the answer where it is the first one after which no gold passage is left that the answer needs.",
  none: "no such answer has a value",
} as const

/** Which stage of retrieval loses most answers; null: none loses any. */
export function lostSentence(
  variant: string,
  answers: number,
  worst: { readonly stage: string; readonly lost: number } | null,
): string {
  if (worst === null) return `${variant}: every answer had its passage at the last stage.`
  return `${variant}: ${worst.stage} loses most, in ${worst.lost} of ${answers} answers.`
}
