import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import { breakEvenQueriesPerMonth, monthlyApiBill, monthlyHardwareBill } from "../../cost/break-even.ts"
import { isHardwarePrice } from "../../cost/hardware.ts"
import type { BenchLevel } from "../../perf/bench/bench-level.ts"
import type { BreakEven } from "../../perf/bench/bench-result.ts"

/** What a stated traffic costs in a month at the prices and the throughput of a level, in US dollars. */
export function monthlyBill(level: BenchLevel, queriesPerMonth: number): Figure {
  if (!isHardwarePrice(level.price)) return monthlyApiBill(level.cost.perQueryUsd, { queriesPerMonth })
  const outputTokensPerQuery = tokensPerQuery(level)
  if (outputTokensPerQuery === null) return noTokens
  return monthlyHardwareBill(level.price, level.speed.systemTokensPerSecond, { queriesPerMonth, outputTokensPerQuery })
}

/** Where hardware becomes cheaper than an API that was measured beside it: every machine against every API. */
export function breakEvens(levels: readonly BenchLevel[]): readonly BreakEven[] {
  const apis = levels.filter(({ price }) => price?.kind === "tokens")
  const machines = levels.filter(({ price }) => isHardwarePrice(price))
  return machines.flatMap((machine) =>
    apis.map((api) => ({ machine, api, queriesPerMonth: breakEvenOf(machine, api) })),
  )
}

const noTokens = unknown("the output tokens per query are unknown")

function breakEvenOf(machine: BenchLevel, api: BenchLevel): Figure {
  const outputTokens = tokensPerQuery(machine)
  if (!isHardwarePrice(machine.price) || outputTokens === null) return noTokens
  const { systemTokensPerSecond } = machine.speed
  return breakEvenQueriesPerMonth(api.cost.perQueryUsd, machine.price, systemTokensPerSecond, outputTokens)
}

function tokensPerQuery({ tokens }: BenchLevel): number | null {
  const total = figureValue(tokens.completion)
  return total === null || tokens.completion.status !== "known" ? null : total / tokens.completion.n
}
