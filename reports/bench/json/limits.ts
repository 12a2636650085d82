import type { JsonObject } from "../../../src/core/json.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { sloShare } from "../../../src/perf/bench/saturation.ts"

/** Where a variant saturates, and the highest rate that keeps what was promised; nothing where it was not sought. */
export function limitsJson({ saturation, searches }: BenchResult, variant: string): JsonObject {
  const point = saturation.get(variant)
  const search = searches.get(variant)
  return {
    ...(point
      ? {
          saturation: {
            concurrency: point.concurrency,
            throughput_there: point.throughputThere,
            best_throughput: point.bestThroughput,
            best_at: point.bestAt,
            invalid_levels: [...point.invalidLevels],
            largest_within_slo: point.largestWithinSlo,
            reached: point.reached,
            broke_slo_at: point.brokeSloAt,
          },
        }
      : {}),
    ...(search
      ? {
          highest_rate: search.rate,
          highest_rate_interval: [search.low, search.high],
          lowest_broken_rate: search.lowestBroken,
          slo_share: sloShare,
          trials: search.trials.map(({ askedRate, achievedRate, attainment, meetsSlo }) => ({
            asked_rate: askedRate,
            achieved_rate: achievedRate,
            attainment: attainment?.share ?? null,
            effective_n: attainment?.effectiveN ?? null,
            queue_grows: attainment?.queueGrows ?? null,
            meets_slo: meetsSlo,
          })),
        }
      : {}),
  }
}
