import type { JsonObject } from "../../../src/core/json.ts"
import type { BenchResult, RateSearch } from "../../../src/perf/bench/bench-result.ts"
import type { Setting } from "../../../src/perf/bench/choice.ts"
import type { Saturation } from "../../../src/perf/bench/saturation.ts"
import { type Slo, sloShare } from "../../../src/perf/bench/slo.ts"
import { boundsOf, snakeJson } from "./figures.ts"

/** Where a variant saturates, and the highest rate that keeps what was promised; nothing where it was not sought. */
export function limitsJson(result: BenchResult, variant: string): JsonObject {
  const { saturation, searches } = result
  const point = saturation.get(variant)
  const search = searches.get(variant)
  return {
    ...(point && saturationJson(point)),
    ...(search && searchJson(search, result.slo)),
    ...capacityJson(result, variant),
  }
}

/** Variants whose servers did not start: rows without figures. */
export function failedStartsJson({ failedStarts, choice }: BenchResult): readonly JsonObject[] {
  return [...(failedStarts ?? [])].map(([variant, reason]) => ({
    variant,
    requests: 0,
    ok: 0,
    ttft_ms: null,
    failed_start: reason,
    ...(choice && { setting: { state: "failed" } }),
  }))
}

/** The largest load within the objectives, and of a search over settings how this one ended; nothing without objectives. */
function capacityJson({ capacities, choice, slo }: BenchResult, variant: string): JsonObject {
  if (slo.length === 0) return {}
  const capacity = capacities.get(variant)
  const setting = choice?.settings.find((entry) => entry.variant === variant)
  const objectives = slo.map(({ figure, maxMs }) => `${figure}<${maxMs}ms`)
  return {
    capacity: capacity
      ? {
          ...snakeJson({ requestsPerSecond: capacity.requestsPerSecond, interval: [capacity.low, capacity.high] }),
          ...snakeJson({
            tokensPerSecond: capacity.level.speed.systemTokensPerSecond,
            objectives,
            sloShare: sloShare(slo),
          }),
          ...(capacity.level.plan.kind === "closed"
            ? { concurrency: capacity.level.plan.concurrency }
            : { rate: capacity.level.offeredRate }),
        }
      : null,
    ...(setting && { setting: settingJson(setting, choice?.cheapest?.variant === variant) }),
  }
}

function settingJson({ state, perThousandUsd, memoryBytes, isOnFrontier }: Setting, isCheapest: boolean): JsonObject {
  const interval = [...boundsOf(perThousandUsd)]
  return snakeJson({ state, isCheapest, isOnFrontier, perThousandUsd, perThousandUsdInterval: interval, memoryBytes })
}

function saturationJson(point: Saturation): JsonObject {
  const { concurrency, throughputThere, bestThroughput, bestAt, largestWithinSlo } = point
  const { reached, brokeSloAt } = point
  const first = { concurrency, throughputThere, bestThroughput, bestAt }
  return { saturation: snakeJson({ ...first, largestWithinSlo, reached, brokeSloAt }) }
}

function searchJson({ rate, low, high, lowestBroken, trials }: RateSearch, slo: readonly Slo[]): JsonObject {
  return {
    highest_rate: rate,
    highest_rate_interval: [low, high],
    lowest_broken_rate: lowestBroken,
    slo_share: sloShare(slo),
    trials: trials.map(({ askedRate, achievedRate, attainment, meetsSlo }) => {
      const { share = null, effectiveN = null, queueGrows = null } = attainment ?? {}
      return snakeJson({ askedRate, achievedRate, attainment: share, effectiveN, queueGrows, meetsSlo })
    }),
  }
}
