import type { Cost, Price } from "../core/cost.ts"
import type { Attempt, Generation } from "../core/generation.ts"
import { type Figure, figureValue, unknown } from "../core/report/figure.ts"
import type { CostFigures } from "../core/report/report.ts"
import { levelText } from "../stats/level-text.ts"
import { giveBack, mappedFrom } from "../stats/mapped-numbers.ts"
import { CompensatedSum, type CostEntries, costEntriesBuilder } from "./cost-entries.ts"
import { costOfGeneration } from "./cost-of-usage.ts"
import { isHardwarePrice, usdPerBusySecond, usdPerMillionTokens, withIdleMeasured } from "./hardware.ts"
import { ratioOf, sum, sumOf } from "./ratio.ts"

/** What the cost of a variant is computed from besides its answers. @experimental */
export interface CostOptions {
  /** `null`: unknown, and stays unknown in every figure. */
  readonly price: Price | null
  /** Prices of the providers that the variant asks in turn, by their labels; each answer states what its own one charged. */
  readonly memberPrices?: ReadonlyMap<string, Price | null>
  /** What judges cost, computed by whoever called them; kept apart from the total. */
  readonly judgeUsd?: Figure
  /** 1 − the level of the intervals. Default 0.05. */
  readonly alpha?: number
  /** The throughput is that of an open loop: what hardware stood idle is in it already, and is not paid for twice. */
  readonly idleMeasured?: boolean
}

/** Turns a stream of generations into cost figures. @experimental */
export interface CostAccumulator {
  /**
   * @param correct score of the quality axis, 0..1 (1 is correct); null when unscored
   * @param sample number of the sample, from 0, where the caller knows it for every answer: then no ids are kept
   */
  add(generation: Generation, correct: number | null, sample?: number): void
  /** An attempt of a call that has no answer yet: it is in the total and in what failures cost, and is no query of its own. */
  addAttempt(attempt: Attempt): void
  /**
   * @param systemTokensPerSecond measured throughput, for hardware that is paid by the hour
   * @param durationMs how long the variant was served; used for such hardware where the throughput is unknown
   */
  figures(systemTokensPerSecond: Figure, durationMs: number | null): CostFigures
}

/**
 * Collects the cost of one variant: in total, per query, per 1,000 queries, per correct answer, and the part that was
 * spent on failures. `generation.cost` is the cost of all attempts, the failed ones in its part `failedAttempts`; a
 * replayed answer counts what it cost when it was made. One answer of unknown cost makes the sums unknown, and says how many.
 * @experimental
 */
export function createCostAccumulator(options: CostOptions): CostAccumulator {
  const { alpha = 0.05, idleMeasured = false } = options
  const price = idleMeasured && isHardwarePrice(options.price) ? withIdleMeasured(options.price) : options.price
  const entries = costEntriesBuilder()
  const open: Cost[] = []
  return {
    add: entries.add,
    addAttempt(attempt) {
      open.push(costOfGeneration({ ...attempt, retries: [] }, price))
    },
    figures(systemTokensPerSecond, durationMs) {
      const own = entries.done()
      const priced = isHardwarePrice(price)
        ? byHardware(own, price, figureValue(systemTokensPerSecond), durationMs, idleMeasured)
        : { entries: own, method: "sum of priced usage" }
      const figures = sums(priced.entries, isHardwarePrice(price) ? [] : open, priced.method, alpha)
      giveBack(own.usd, own.failedUsd, own.correct)
      return {
        ...figures,
        judgeUsd: options.judgeUsd ?? unknown("no judge was asked"),
        priceSource: price ? sourceOf(price) : chargeSource(own, options.memberPrices),
        ...(options.price && { price: options.price }),
      }
    },
  }
}

/** Where the cost comes from when no one price is known: whoever answered, the service itself, or unknown. */
function chargeSource({ parts }: CostEntries, members: CostOptions["memberPrices"]): string | null {
  if (!parts.has("charged")) return null
  if (members === undefined) return "what the service states that it charged"
  const sources = [...members].map(([label, price]) => `${label}: ${price ? sourceOf(price) : "unknown"}`)
  return `the price of whoever answered (${sources.join("; ")})`
}

function sourceOf({ source, date }: Price): string {
  return `${source} (${date})`
}

/** Shares the hardware's price out by output tokens at the measured throughput, else by the time that the run took. */
function byHardware(
  entries: CostEntries,
  price: Parameters<typeof usdPerBusySecond>[0],
  tokensPerSecond: number | null,
  durationMs: number | null,
  idleMeasured: boolean,
): { readonly entries: CostEntries; readonly method: string } {
  if (tokensPerSecond !== null && tokensPerSecond > 0) {
    const usdPerToken = usdPerMillionTokens(price, tokensPerSecond) / 1e6
    const idle = idleMeasured ? ", its idle time at this load included once" : ""
    const method = `hardware at ${tokensPerSecond.toPrecision(3)} output tokens per second${idle}`
    const reason = "no token count to allocate the hardware's price by"
    // Of tokens that were not counted, NaN, which is an unknown cost.
    const usd = entries.tokens().map((tokens) => tokens * usdPerToken)
    return { method, entries: onHardware(entries, usd, reason) }
  }
  const reason = "neither the throughput nor the duration of the hardware's use is known"
  const each =
    durationMs === null ? Number.NaN : (usdPerBusySecond(price) * durationMs) / 1000 / Math.max(1, entries.length)
  return {
    method: "hardware over the run's duration",
    entries: onHardware(entries, new Float64Array(entries.length).fill(each), reason),
  }
}

function onHardware(entries: CostEntries, usd: Float64Array, reason: string): CostEntries {
  return {
    ...entries,
    ...{ usd, reason },
    atLeastUsd: () => usd.map((one) => (Number.isNaN(one) ? 0 : one)),
    failedUsd: entries.failedUsd.map((one) => (Number.isNaN(one) ? one : 0)),
    parts: new Map([["hardware", compensated(usd)]]),
  }
}

function compensated(values: Float64Array): CompensatedSum {
  const total = new CompensatedSum()
  for (const value of values) total.add(value)
  return total
}

function sums(
  entries: CostEntries,
  open: readonly Cost[],
  method: string,
  alpha: number,
): Omit<CostFigures, "judgeUsd" | "priceSource"> {
  const { length: n, usd, failedUsd } = entries
  const missing = usd.reduce((count, one) => count + Number(Number.isNaN(one)), 0)
  if (n === 0 || missing > 0) {
    const why = n === 0 ? "no answer was made" : costReason(missing, entries)
    const none = unknown(why)
    return { totalUsd: none, perQueryUsd: none, perThousandUsd: none, perCorrectUsd: none, failedUsd: none }
  }
  const openUsd = sum(open.map((cost) => (cost.status === "known" ? cost.usd : Number.NaN)))
  const ones = mappedFrom(n, () => 1)
  const perQuery = ratioOf(usd, ones, `mean, Student t ${levelText(alpha)}; ${method}`, entries.units, alpha)
  giveBack(ones)
  const failed = sumOf(failedUsd, (one, i) => (Number.isNaN(one) ? (usd[i] as number) : one))
  const plusOpen = (value: number): Figure =>
    Number.isNaN(openUsd)
      ? unknown("an attempt of a call without an answer has no known cost")
      : { status: "known", value: value + openUsd, n, method }
  return {
    totalUsd: plusOpen(sum(usd)),
    perQueryUsd: perQuery,
    perThousandUsd: scaled(perQuery, 1000),
    perCorrectUsd: perCorrect(entries, alpha),
    failedUsd: plusOpen(failed),
    parts: partsOf(entries, Number.isNaN(openUsd) ? 0 : openUsd),
  }
}

/** Sums of the parts, by name. */
function partsOf({ parts }: CostEntries, openUsd: number): Record<string, number> {
  const names = new Set([...parts.keys(), ...(openUsd === 0 ? [] : ["failedAttempts"])])
  const amount = (name: string) =>
    (parts.get(name) ?? new CompensatedSum()).plus(name === "failedAttempts" ? openUsd : 0)
  return Object.fromEntries([...names].sort().map((name) => [name, amount(name)]))
}

/** Total / Σ correct: the whole cost, wrong and failed answers included, per 1,000 correct answers. */
function perCorrect(entries: CostEntries, alpha: number): Figure {
  const { length, usd } = entries
  const unscored = entries.correct.reduce((count, one) => count + Number(Number.isNaN(one)), 0)
  if (unscored === length) return unknown("no metric says which answers are correct")
  const correct = mappedFrom(length, (i) => {
    const one = entries.correct[i] as number
    return Number.isNaN(one) ? 0 : one
  })
  if (sum(correct) === 0) return unknown("no answer was correct")
  const method = `total cost / sum of correct, delta method ${levelText(alpha)}`
  const figure = ratioOf(usd, correct, method, entries.units, alpha)
  giveBack(correct)
  if (figure.status === "unknown" || unscored === 0) return figure
  return { ...figure, warning: `${unscored} of ${length} answers are unscored and count as not correct` }
}

function scaled(figure: Figure, factor: number): Figure {
  if (figure.status === "unknown") return figure
  const times = (bound: number | null | undefined) => (bound == null ? null : bound * factor)
  return { ...figure, value: figure.value * factor, low: times(figure.low), high: times(figure.high) }
}

function costReason(missing: number, { length, reason, atLeastUsd, usd }: CostEntries): string {
  const why = missing < length ? `${missing} of ${length} answers have no known cost: ${reason}` : reason
  const bounds = atLeastUsd()
  const least = sum(bounds)
  const hasBound = bounds.some((one, i) => one > 0 && Number.isNaN(usd[i]))
  return hasBound ? `${why}; all answers together cost at least $${Number(least.toPrecision(3))}` : why
}
