import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { count, significant } from "../../../src/words/number.ts"

/** `closed loop, 8 in flight` or `18.4 requests a second, poisson around 20/s, seed 1`. */
export function loadWords({ plan, offeredRate }: Pick<BenchLevel, "plan" | "offeredRate">): string {
  if (plan.kind === "closed") return `${count(plan.concurrency)} in flight`
  const rate = offeredRate === null ? "" : `${rateWords(offeredRate)}, `
  const most = plan.maxInFlight === undefined ? "" : `, ${count(plan.maxInFlight)} in flight at most`
  return `${rate}${plan.description}${most}`
}

/** `1 request a second`, `18.4 requests a second`. */
export function rateWords(perSecond: number): string {
  const figure = significant(perSecond)
  return `${figure} ${figure === "1" ? "request" : "requests"} a second`
}
