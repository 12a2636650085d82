import type { Evaluation } from "../core/run/evaluation.ts"
import { levelText } from "../words/percent.ts"

/** What looks at a running run promise together. */
export function guaranteeOf({ alpha }: Evaluation, looks: readonly number[]): string {
  const times = looks.length === 1 ? "one look was planned" : `${looks.length} looks were planned beforehand`
  return `With probability at least ${levelText(alpha)} no candidate is called as good that is not: ${times}, and together they spend the error rate once.`
}

/** A run that was ended early. */
export const stoppingWords = {
  saved: (saved: number, calls: number, guarantee: string) => `${saved} of ${calls} calls were saved. ${guarantee}`,
  levels: (looks: string) =>
    `Bounds of comparisons are read at the level of the look, and are therefore wider (looks at ${looks} samples); intervals of single variants, of speed and of cost are those of a fixed number of samples.`,
} as const
