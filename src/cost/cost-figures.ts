import type { Cost, Price } from "../core/cost.ts"
import type { Attempt, Generation } from "../core/generation.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import type { CostFigures } from "../core/report/report.ts"
import { releaseNumbers } from "../stats/mapped-numbers.ts"
import { costMethods, costReasons } from "../words/reasons/cost.ts"
import { type CostEntries, costEntriesBuilder } from "./cost-entries.ts"
import { costOfGeneration } from "./cost-of-usage.ts"
import { costSums } from "./cost-sums.ts"
import { isHardwarePrice, statesCapacity, withIdleMeasured } from "./hardware.ts"
import { type HardwareRates, hardwareSums } from "./hardware-sums.ts"

export type { HardwareRates } from "./hardware-sums.ts"

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
   * @param rates what was measured of hardware that is paid by the hour
   * @param durationMs how long the variant was served; used for such hardware where the throughput is unknown
   */
  figures(rates: HardwareRates, durationMs: number | null): CostFigures
}

/**
 * Collects the cost of one variant: in total, per query, per 1,000 queries, per correct answer, and the part that was
 * spent on failures. `generation.cost` is the cost of all attempts, the failed ones in its part `failedAttempts`; a
 * replayed answer counts what it cost when it was made. One answer of unknown cost makes the sums unknown, and says how many.
 * @experimental
 */
export function createCostAccumulator(options: CostOptions): CostAccumulator {
  const { alpha = 0.05, idleMeasured = false } = options
  const isIdleIn = idleMeasured && isHardwarePrice(options.price) && !statesCapacity(options.price)
  const price = isIdleIn ? withIdleMeasured(options.price) : options.price
  const entries = costEntriesBuilder()
  const open: Cost[] = []
  return {
    add: entries.add,
    addAttempt(attempt) {
      open.push(costOfGeneration({ ...attempt, retries: [] }, price))
    },
    figures(rates, durationMs) {
      const own = entries.done()
      const figures = isHardwarePrice(price)
        ? hardwareSums(own, price, rates, { durationMs, idleMeasured, alpha })
        : costSums(own, open, costMethods.pricedTokens, alpha)
      releaseNumbers(own.usd, own.failedUsd, own.correct)
      return {
        ...figures,
        judgeUsd: options.judgeUsd ?? unknown(costReasons.noJudge),
        priceSource: price ? sourceOf(price) : chargeSource(own, options.memberPrices),
        ...(options.price && { price: options.price }),
      }
    },
  }
}

/** Where the cost comes from when no one price is known: whoever answered, the service itself, or unknown. */
function chargeSource({ parts }: CostEntries, members: CostOptions["memberPrices"]): string | null {
  if (!parts.has("charged")) return null
  if (members === undefined) return costMethods.charged
  const sources = [...members].map(([label, price]) => `${label}: ${price ? sourceOf(price) : "unknown"}`)
  return costMethods.memberPrices(sources)
}

function sourceOf({ source, date }: Price): string {
  return `${source} (${date})`
}
