import type { BenchResult } from "../perf/bench/bench-result.ts"
import { breakEvens, monthlyBill } from "./bills.ts"
import { crossovers } from "./crossovers.ts"

/** What was measured, before anything is concluded from it. */
export type BenchMeasurement = Omit<BenchResult, "crossovers" | "breakEvens" | "monthlyUsd">

/** Adds what follows from the levels: crossovers of variants, bills of the stated traffic, break-even volumes. */
export function benchResult(measured: BenchMeasurement): BenchResult {
  const { levels, queriesPerMonth } = measured
  return {
    ...measured,
    crossovers: crossovers(levels),
    breakEvens: breakEvens(levels),
    monthlyUsd: queriesPerMonth === null ? null : levels.map((level) => monthlyBill(level, queriesPerMonth)),
  }
}
