import type { AnyMetric } from "../core/metric/metric.ts"
import { signed, wordingOf } from "../words/difference.ts"
import { metricTitle } from "../words/names.ts"
import { count, counted } from "../words/number.ts"
import { percentChange } from "../words/percent.ts"

/** What every pair may have beside its metrics. */
const operations = { failures: "failures", costUsd: "cost", ttftMs: "first token", e2eMs: "latency" } as const

type Figure = Pick<AnyMetric, "name" | "title" | "unit" | "range"> | keyof typeof operations

/** What a figure of pairs is called. */
export function pairFigureName(figure: Figure): string {
  return typeof figure === "string" ? operations[figure] : metricTitle(figure)
}

/** How the candidate differs: `+0.4 points`; of cost and times, which are ratios, `−15 %`. */
export function pairLevel(figure: Figure, level: number | null): string {
  if (level === null) return "unknown"
  if (figure === "failures") return signed(level, { scale: 100, unit: "points" })
  return typeof figure === "string" ? percentChange(level - 1) : signed(level, wordingOf(figure))
}

/** Where the candidate came to differ otherwise. @param at when, as a clock shows it; null: not known */
export function pairShiftSentence(
  figure: Figure,
  shift: { readonly before: number; readonly after: number; readonly pair: number },
  at: string | null,
): string {
  const [before, after] = [pairLevel(figure, shift.before), pairLevel(figure, shift.after)]
  const moment = at === null ? "" : `, ${at}`
  return `${pairFigureName(figure)} of the candidate against the primary went from ${before} to ${after} at pair ${count(shift.pair)}${moment}.`
}

/** A line of what pairs say so far. */
export function pairsLine(
  pairs: number,
  figures: readonly { readonly figure: Figure; readonly level: number | null }[],
): string {
  const measured = figures.filter(({ level }) => level !== null)
  return [
    counted(pairs, "pair"),
    ...measured.map((entry) => `${pairFigureName(entry.figure)} ${pairLevel(entry.figure, entry.level)}`),
  ].join(" · ")
}

/** What a watch of a log does, before it begins. */
export function followingLine(log: string, every: string, chance: string, pairs: number): string {
  return `following ${log}, read every ${every}; a false alarm of any figure in ${count(pairs)} pairs: ${chance} at most; Ctrl-C ends it`
}
