import type { Change, ChangedFigure, TailChange } from "../../core/report/change.ts"
import { amount, counted } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"

const words: Readonly<Record<ChangedFigure, readonly [less: string, more: string, times: string]>> = {
  costUsd: ["cheaper", "more expensive", "as expensive"],
  e2eMs: ["faster", "slower", "as slow"],
  ttftMs: ["sooner to the first token", "later to the first token", "as late to the first token"],
  modelBytes: ["smaller", "larger", "as large"],
}

/**
 * A share of change in words, whatever its evidence.
 *
 * @example changeWords({ figure: "costUsd", share: -0.38 }) // "38 % cheaper"
 * @example changeWords({ figure: "modelBytes", share: -0.49 }) // "half the size"
 */
export function changeWords({ figure, share, tail }: Pick<Change, "figure" | "share" | "tail">): string {
  if (figure === "modelBytes" && Math.abs(share + 0.5) <= 0.05) return "half the size"
  const whole = shareWords(figure, share)
  return tail ? `${whole} (${tailWords({ figure, tail })})` : whole
}

/** "p99 15 % slower, perhaps by chance" */
export function tailWords({ figure, tail }: { readonly figure: ChangedFigure; readonly tail: TailChange }): string {
  return `p99 ${shareWords(figure, tail.share)}${tail.isProven ? "" : ", perhaps by chance"}`
}

function shareWords(figure: ChangedFigure, share: number): string {
  const [less, more, times] = words[figure]
  if (share >= 1) return `${amount(1 + share)} times ${times}`
  return `${percent(Math.abs(share))} ${share > 0 ? more : less}`
}

/** " in 12 turns"; nothing where nearly every pair is a turn of its own: then turns say nothing more. */
export function turnWords(pairs: number, turns: number | null): string {
  return turns === null || turns > 0.9 * pairs ? "" : ` in ${counted(turns, "turn")}`
}
