import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { type Slo, sloShare } from "../../../src/perf/bench/slo.ts"
import { amount, count, significant } from "../../../src/words/number.ts"

/** `closed loop, 8 in flight` or `20 requests a second, poisson, seed 1`. */
export function loadWords({ plan, offeredRate }: Pick<BenchLevel, "plan" | "offeredRate">): string {
  if (plan.kind === "closed") return `${count(plan.concurrency)} in flight`
  const rate = offeredRate === null ? "" : `${rateWords(offeredRate)}, `
  const max = plan.maxInFlight === undefined ? "" : `, ${count(plan.maxInFlight)} in flight at most`
  return `${rate}${plan.description}${max}`
}

/** `1 request a second`, `18.4 requests a second`. */
export function rateWords(perSecond: number): string {
  const figure = significant(perSecond)
  return `${figure} ${figure === "1" ? "request" : "requests"} a second`
}

/** `95 % of the requests`: those that must keep the objectives. */
export function shareWords(slo: readonly Slo[]): string {
  return `${Number((100 * sloShare(slo)).toFixed(2))} % of the requests`
}

/** `12.3 ms`, or `unknown`. */
export function figureWords(figure: Figure, after = "", scale = 1): string {
  const value = figureValue(figure)
  return value === null ? "unknown" : `${significant(value * scale)}${after}`
}

/** `800 ms` or `5 s`. */
export function msWords(milliseconds: number): string {
  return milliseconds >= 1000 ? `${Number(significant(milliseconds / 1000))} s` : `${count(milliseconds)} ms`
}

/** What ITL hides, where several tokens arrive at once; null where they come one by one. */
export function arrivalWords({ readTokens, readGapMs }: Pick<BenchLevel, "readTokens" | "readGapMs">): string | null {
  if (readTokens.status === "unknown" || readGapMs.status === "unknown" || readTokens.value < 2) return null
  return `tokens arrive in chunks of ${amount(readTokens.value)}, one each ${amount(readGapMs.value)} ms (medians): TPOT and ITL share the time of a chunk among its tokens, a reader sees the chunks`
}

/** Names of the figures that can be limited. */
export const sloNames: Readonly<Record<Slo["figure"], string>> = {
  ttft: "TTFT",
  ttft_from_intent: "TTFT from intent",
  ttft_any: "TTFT of any kind",
  tpot: "TPOT",
  stop: "longest stop",
  "itl.max": "longest ITL",
  e2e: "E2E",
}

/** `~` before a figure of a level that the client's own error is too large for, by its name (`TTFT p50`); else nothing. */
export function doubted({ doubtful }: Pick<BenchLevel, "doubtful">, name: string): "~" | "" {
  return doubtful.some(({ figure }) => figure === name) ? "~" : ""
}

/** What `~` means, where one of the levels has it. */
export function doubtedLegend(levels: readonly Pick<BenchLevel, "doubtful">[]): string | null {
  return levels.some(({ doubtful }) => doubtful.length > 0)
    ? "~ evalkit's own timing error is over 5 % of this figure"
    : null
}

/** ` (95 % interval 9.1 to 9.6)`; nothing where a side is open. */
export function intervalWords(low: number | null | undefined, high: number | null | undefined): string {
  return low == null || high == null || !Number.isFinite(high)
    ? ""
    : ` (95 % interval ${significant(low)} to ${significant(high)})`
}
