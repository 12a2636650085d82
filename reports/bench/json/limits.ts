import type { JsonObject } from "../../../src/core/json.ts"
import type { BenchResult, RateSearch } from "../../../src/perf/bench/bench-result.ts"
import { type Saturation, sloShare } from "../../../src/perf/bench/saturation.ts"
import { snakeJson } from "./figures.ts"

/** Where a variant saturates, and the highest rate that keeps what was promised; nothing where it was not sought. */
export function limitsJson({ saturation, searches }: BenchResult, variant: string): JsonObject {
  const point = saturation.get(variant)
  const search = searches.get(variant)
  return { ...(point && saturationJson(point)), ...(search && searchJson(search)) }
}

function saturationJson(point: Saturation): JsonObject {
  const { concurrency, throughputThere, bestThroughput, bestAt, largestWithinSlo } = point
  const { reached, brokeSloAt } = point
  const first = { concurrency, throughputThere, bestThroughput, bestAt }
  return { saturation: snakeJson({ ...first, largestWithinSlo, reached, brokeSloAt }) }
}

function searchJson({ rate, low, high, lowestBroken, trials }: RateSearch): JsonObject {
  return {
    highest_rate: rate,
    highest_rate_interval: [low, high],
    lowest_broken_rate: lowestBroken,
    slo_share: sloShare,
    trials: trials.map(({ askedRate, achievedRate, attainment, meetsSlo }) => {
      const { share = null, effectiveN = null, queueGrows = null } = attainment ?? {}
      return snakeJson({ askedRate, achievedRate, attainment: share, effectiveN, queueGrows, meetsSlo })
    }),
  }
}
