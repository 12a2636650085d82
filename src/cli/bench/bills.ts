import { count, significant } from "../../../reports/format/number.ts"
import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import { breakEvenQueriesPerMonth, monthlyApiBill, monthlyHardwareBill } from "../../cost/break-even.ts"
import { isHardwarePrice } from "../../cost/hardware.ts"
import type { BenchLevel } from "../../engine/bench/measure-level.ts"
import { loadWords } from "./load-words.ts"

/** What a stated traffic costs in a month at the prices and the throughput of a level. */
export function billOf(level: BenchLevel, queriesPerMonth: number): Figure {
  if (!isHardwarePrice(level.price)) return monthlyApiBill(level.cost.perQueryUsd, { queriesPerMonth })
  const outputTokensPerQuery = tokensPerQuery(level)
  if (outputTokensPerQuery === null) return unknown("the output tokens per query are unknown")
  return monthlyHardwareBill(level.price, level.speed.systemTokensPerSecond, { queriesPerMonth, outputTokensPerQuery })
}

/** Bills of a stated traffic, and where hardware becomes cheaper than an API that was measured beside it. */
export function billSentences(levels: readonly BenchLevel[], queriesPerMonth: number | null): readonly string[] {
  const bills =
    queriesPerMonth === null ? [] : levels.map((level) => `${nameOf(level)}: ${billWords(level, queriesPerMonth)}.`)
  const apis = levels.filter(({ price }) => price?.kind === "tokens")
  const machines = levels.filter(({ price }) => isHardwarePrice(price))
  const breakEvens = machines.flatMap((machine) => apis.map((api) => breakEvenWords(api, machine)))
  return [...bills, ...breakEvens]
}

function billWords(level: BenchLevel, queriesPerMonth: number): string {
  const bill = billOf(level, queriesPerMonth)
  if (bill.status === "unknown") return `the monthly bill is unknown: ${bill.reason}`
  return `${count(queriesPerMonth)} queries a month cost $${significant(bill.value)}`
}

function breakEvenWords(api: BenchLevel, machine: BenchLevel): string {
  const outputTokens = tokensPerQuery(machine)
  if (!isHardwarePrice(machine.price) || outputTokens === null)
    return `${nameOf(machine)}: break-even is unknown without output tokens per query.`
  const { systemTokensPerSecond } = machine.speed
  const volume = breakEvenQueriesPerMonth(api.cost.perQueryUsd, machine.price, systemTokensPerSecond, outputTokens)
  if (volume.status === "unknown") return `${nameOf(machine)} against ${nameOf(api)}: break-even: ${volume.reason}.`
  return `${nameOf(machine)} is cheaper than ${nameOf(api)} from ${count(Math.ceil(volume.value))} queries a month on.`
}

function tokensPerQuery({ tokens }: BenchLevel): number | null {
  const total = figureValue(tokens.completion)
  return total === null || tokens.completion.status !== "known" ? null : total / tokens.completion.n
}

function nameOf(level: BenchLevel): string {
  return `${level.variant} (${loadWords(level)})`
}
