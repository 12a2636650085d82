import { count, counted } from "../words/number.ts"
import { roundPercent } from "../words/percent.ts"
import { duration } from "../words/quantity.ts"

/** How figures of an inventory are made, and why they are unknown. */
export const inventoryWords = {
  callCount: "calls / days of the log",
  costSum: (stated: number, listed: number) => `${count(stated)} stated by the log, ${count(listed)} by the price book`,
  costShare: "share of the cost that is known",
  month: "cost / hours of the log × 730.5",
  noMoments: "the log does not say when its calls were made",
  tooShort: (ms: number) => `the log covers ${duration(ms)}: a day is needed for a pace`,
  noTokens: "the log states no tokens",
  noLatency: "the log times no answer",
  noCost: "no cost is known",
} as const

/** What the prompts that are named make up, and what a prompt is. */
export function promptsNote(named: number, all: number, share: number, isByCost: boolean): string {
  const of = `${count(named)} of ${counted(all, "prompt")} ${named === 1 ? "makes" : "make"} up ${roundPercent(share)} of the ${isByCost ? "cost that is known" : "calls"}`
  return `${of} (a prompt: the system message without its numbers, else the first eight words that are asked; near-duplicates are one)`
}

/** Calls that no prompt is known of, and rows that could not be read. */
export function unreadNote(unasked: number, skipped: number): string {
  return `${counted(unasked, "call")} without a question that can be read ${unasked === 1 ? "is" : "are"} counted, not among the prompts; ${counted(skipped, "row")} left out`
}
