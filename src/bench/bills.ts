import type { HardwarePrice } from "../core/cost.ts"
import { type Figure, figureValue, unknown } from "../core/report/figure.ts"
import { breakEvenQueriesPerMonth, monthlyApiBill, monthlyHardwareBill } from "../cost/break-even.ts"
import { isHardwarePrice, withIdleMeasured } from "../cost/hardware.ts"
import type { BenchLevel } from "../perf/bench/bench-level.ts"
import type { BreakEven } from "../perf/bench/bench-result.ts"
import { benchReasons } from "../words/reasons/bench.ts"

/** What a stated traffic costs in a month at the prices and the throughput of a level, in US dollars. */
export function monthlyBill(level: BenchLevel, queriesPerMonth: number): Figure {
  const price = hardwareOf(level)
  if (price === null) return monthlyApiBill(level.cost.perQueryUsd, { queriesPerMonth })
  const outputTokensPerQuery = tokensPerQuery(level)
  if (outputTokensPerQuery === null) return unknown(benchReasons.noTokensPerQuery)
  return monthlyHardwareBill(price, level.speed.systemTokensPerSecond, { queriesPerMonth, outputTokensPerQuery })
}

/** Where hardware becomes cheaper than an API that was measured beside it: every machine against every API. */
export function breakEvens(levels: readonly BenchLevel[]): readonly BreakEven[] {
  const apis = levels.filter(({ price }) => price?.kind === "tokens")
  const machines = levels.filter(({ price }) => isHardwarePrice(price))
  return machines.flatMap((machine) =>
    apis.map((api) => ({ machine, api, queriesPerMonth: breakEvenOf(machine, api) })),
  )
}

function breakEvenOf(machine: BenchLevel, api: BenchLevel): Figure {
  const outputTokens = tokensPerQuery(machine)
  const price = hardwareOf(machine)
  if (price === null || outputTokens === null) return unknown(benchReasons.noTokensPerQuery)
  const { systemTokensPerSecond } = machine.speed
  return breakEvenQueriesPerMonth(api.cost.perQueryUsd, price, systemTokensPerSecond, outputTokens)
}

/** The throughput of an open loop has the machine's idle time in it: no share of it is taken off again. */
function hardwareOf({ price, plan }: BenchLevel): HardwarePrice | null {
  if (!isHardwarePrice(price)) return null
  return plan.kind === "open" ? withIdleMeasured(price) : price
}

function tokensPerQuery({ tokens }: BenchLevel): number | null {
  const total = figureValue(tokens.completion)
  return total === null || tokens.completion.status !== "known" ? null : total / tokens.completion.n
}
