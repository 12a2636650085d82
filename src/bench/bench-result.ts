import type { BenchResult } from "../perf/bench/bench-result.ts"
import { type Capacity, capacityOf } from "../perf/bench/capacity.ts"
import { breakEvens, monthlyBill } from "./bills.ts"
import { crossovers } from "./crossovers.ts"

/** What was measured, before anything is concluded from it. */
export type BenchMeasurement = Omit<BenchResult, "crossovers" | "breakEvens" | "monthlyUsd" | "capacities">

/** Adds what follows from the levels: crossovers of variants, bills of the stated traffic, break-even volumes. */
export function benchResult(measured: BenchMeasurement): BenchResult {
  const { levels, queriesPerMonth, slo, searches } = measured
  const capacities = [...new Set(levels.map(({ variant }) => variant))].flatMap((variant): [string, Capacity][] => {
    const own = levels.filter((level) => level.variant === variant)
    const capacity = capacityOf(own, slo, searches.get(variant))
    return capacity ? [[variant, capacity]] : []
  })
  return {
    ...measured,
    capacities: new Map(capacities),
    // Of settings of one server nobody asks from which length on the slower one is faster.
    crossovers: measured.choice ? [] : crossovers(levels),
    breakEvens: breakEvens(levels),
    monthlyUsd: queriesPerMonth === null ? null : levels.map((level) => monthlyBill(level, queriesPerMonth)),
  }
}
