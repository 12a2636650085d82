import type { Cost, Price } from "../core/cost.ts"
import type { Attempt, Generation } from "../core/generation.ts"
import { isAnswered } from "../core/outcome.ts"
import { type Figure, figureValue, unknown } from "../core/report/figure.ts"
import type { CostFigures } from "../core/report/report.ts"
import { levelText } from "../stats/level-text.ts"
import { costOfGeneration } from "./cost-of-usage.ts"
import { isHardwarePrice, usdPerBusySecond, usdPerMillionTokens, withIdleMeasured } from "./hardware.ts"
import { ratioOf, sum } from "./ratio.ts"

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
  /** @param correct score of the quality axis, 0..1 (1 is correct); null when unscored */
  add(generation: Generation, correct: number | null): void
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
  const entries: Entry[] = []
  const open: Cost[] = []
  return {
    add(generation, correct) {
      const { cost, usage } = generation
      entries.push({
        sampleId: generation.sampleId,
        usd: cost.status === "known" ? cost.usd : null,
        atLeastUsd: cost.status === "known" ? cost.usd : (cost.atLeastUsd ?? 0),
        failedUsd: cost.status === "known" ? (cost.parts.failedAttempts ?? 0) : 0,
        parts: cost.status === "known" ? cost.parts : {},
        reason: cost.status === "known" ? "" : cost.reason,
        tokens: usage.completionTokens,
        answered: isAnswered(generation.outcome),
        correct,
      })
    },
    addAttempt(attempt) {
      open.push(costOfGeneration({ ...attempt, retries: [] }, price))
    },
    figures(systemTokensPerSecond, durationMs) {
      const priced = isHardwarePrice(price)
        ? byHardware(entries, price, figureValue(systemTokensPerSecond), durationMs, idleMeasured)
        : { entries, method: "sum of priced usage" }
      return {
        ...sums(priced.entries, isHardwarePrice(price) ? [] : open, priced.method, alpha),
        judgeUsd: options.judgeUsd ?? unknown("no judge was asked"),
        priceSource: price ? sourceOf(price) : chargeSource(entries, options.memberPrices),
        ...(options.price && { price: options.price }),
      }
    },
  }
}

type Amounts = Readonly<Record<string, number>>

/** The few numbers that are kept of each answer. */
interface Entry {
  readonly sampleId: string
  readonly usd: number | null
  /** What it cost in any case; 0 where nothing is known. */
  readonly atLeastUsd: number
  /** Inside `usd`: attempts that failed before the one that counts. */
  readonly failedUsd: number
  /** What `usd` was paid for, by name. */
  readonly parts: Readonly<Record<string, number>>
  readonly reason: string
  readonly tokens: number | null
  readonly answered: boolean
  readonly correct: number | null
}

/** Where the cost comes from when no one price is known: whoever answered, the service itself, or unknown. */
function chargeSource(entries: readonly Entry[], members: CostOptions["memberPrices"]): string | null {
  if (!entries.some(({ parts }) => parts.charged !== undefined)) return null
  if (members === undefined) return "what the service states that it charged"
  const sources = [...members].map(([label, price]) => `${label}: ${price ? sourceOf(price) : "unknown"}`)
  return `the price of whoever answered (${sources.join("; ")})`
}

function sourceOf({ source, date }: Price): string {
  return `${source} (${date})`
}

/** Shares the hardware's price out by output tokens at the measured throughput, else by the time that the run took. */
function byHardware(
  entries: readonly Entry[],
  price: Parameters<typeof usdPerBusySecond>[0],
  tokensPerSecond: number | null,
  durationMs: number | null,
  idleMeasured: boolean,
): { readonly entries: readonly Entry[]; readonly method: string } {
  if (tokensPerSecond !== null && tokensPerSecond > 0) {
    const usdPerToken = usdPerMillionTokens(price, tokensPerSecond) / 1e6
    const idle = idleMeasured ? ", its idle time at this load included once" : ""
    const method = `hardware at ${tokensPerSecond.toPrecision(3)} output tokens per second${idle}`
    const cost = (tokens: number | null) => (tokens === null ? null : tokens * usdPerToken)
    const reason = "no token count to allocate the hardware's price by"
    return { method, entries: entries.map((entry) => onHardware(entry, cost(entry.tokens), reason)) }
  }
  const reason = "neither the throughput nor the duration of the hardware's use is known"
  const usd = durationMs === null ? null : (usdPerBusySecond(price) * durationMs) / 1000 / Math.max(1, entries.length)
  return { method: "hardware over the run's duration", entries: entries.map((entry) => onHardware(entry, usd, reason)) }
}

function onHardware(entry: Entry, usd: number | null, reason: string): Entry {
  return { ...entry, usd, atLeastUsd: usd ?? 0, failedUsd: 0, parts: usd === null ? {} : { hardware: usd }, reason }
}

function sums(
  entries: readonly Entry[],
  open: readonly Cost[],
  method: string,
  alpha: number,
): Omit<CostFigures, "judgeUsd" | "priceSource"> {
  const missing = entries.filter((entry) => entry.usd === null)
  if (entries.length === 0 || missing.length > 0) {
    const why = entries.length === 0 ? "no answer was made" : costReason(missing, entries)
    const none = unknown(why)
    return { totalUsd: none, perQueryUsd: none, perThousandUsd: none, perCorrectUsd: none, failedUsd: none }
  }
  const openUsd = sum(open.map((cost) => (cost.status === "known" ? cost.usd : Number.NaN)))
  const n = entries.length
  const usd = entries.map((entry) => entry.usd as number)
  const perQuery = ratioOf(
    usd,
    usd.map(() => 1),
    `mean, Student t ${levelText(alpha)}; ${method}`,
    entries.map(({ sampleId }) => sampleId),
    alpha,
  )
  const failed = sum(entries.map((entry) => (entry.answered ? entry.failedUsd : (entry.usd as number))))
  const plusOpen = (value: number): Figure =>
    Number.isNaN(openUsd)
      ? unknown("an attempt of a call without an answer has no known cost")
      : { status: "known", value: value + openUsd, n, method }
  return {
    totalUsd: plusOpen(sum(usd)),
    perQueryUsd: perQuery,
    perThousandUsd: scaled(perQuery, 1000),
    perCorrectUsd: perCorrect(entries, usd, alpha),
    failedUsd: plusOpen(failed),
    parts: partsOf(entries, Number.isNaN(openUsd) ? 0 : openUsd),
  }
}

/** Sums of the parts, by name. */
function partsOf(entries: readonly Entry[], openUsd: number): Record<string, number> {
  const all = [...entries.map(({ parts }) => parts), ...(openUsd === 0 ? [] : [{ failedAttempts: openUsd }])]
  const names = [...new Set(all.flatMap(Object.keys))].sort()
  return Object.fromEntries(names.map((name) => [name, sum(all.map((parts) => (parts as Amounts)[name] ?? 0))]))
}

/** Total / Σ correct: the whole cost, wrong and failed answers included, per 1,000 correct answers. */
function perCorrect(entries: readonly Entry[], usd: readonly number[], alpha: number): Figure {
  const judged = entries.filter((entry) => entry.correct !== null)
  if (judged.length === 0) return unknown("no metric says which answers are correct")
  const correct = entries.map((entry) => entry.correct ?? 0)
  if (sum(correct) === 0) return unknown("no answer was correct")
  const figure = ratioOf(
    usd,
    correct,
    `total cost / sum of correct, delta method ${levelText(alpha)}`,
    entries.map(({ sampleId }) => sampleId),
    alpha,
  )
  const unscored = entries.length - judged.length
  if (figure.status === "unknown" || unscored === 0) return figure
  return { ...figure, warning: `${unscored} of ${entries.length} answers are unscored and count as not correct` }
}

function scaled(figure: Figure, factor: number): Figure {
  if (figure.status === "unknown") return figure
  const times = (bound: number | null | undefined) => (bound == null ? null : bound * factor)
  return { ...figure, value: figure.value * factor, low: times(figure.low), high: times(figure.high) }
}

function costReason(missing: readonly Entry[], entries: readonly Entry[]): string {
  const { reason } = missing[0] as Entry
  const some = missing.length < entries.length
  const why = some ? `${missing.length} of ${entries.length} answers have no known cost: ${reason}` : reason
  const least = sum(entries.map(({ atLeastUsd }) => atLeastUsd))
  const hasBound = missing.some(({ atLeastUsd }) => atLeastUsd > 0)
  return hasBound ? `${why}; all answers together cost at least $${Number(least.toPrecision(3))}` : why
}
