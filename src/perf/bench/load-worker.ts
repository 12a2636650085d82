import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { Distribution } from "../../core/report/report.ts"
import { speedMethods, speedReasons } from "../../words/perf/speed.ts"
import type { DoubtfulFigure } from "../client/client-error-check.ts"
import { distributionOf } from "../distribution.ts"
import type { BenchLevel } from "./bench-level.ts"

/** By whose clock a worker began. @experimental */
export interface StartClock {
  /** Address of the server whose time all workers read; null: the worker's machine. */
  readonly server: string | null
  /** How far the machine's clock is ahead of that server's, in milliseconds, and what this may be wrong by; null where it was not read. */
  readonly aheadMs: number | null
  readonly errorMs: number | null
  /** Why it was not read; null where it was. */
  readonly reason: string | null
}

/** One of the workers that shared a load. @experimental */
export interface LoadWorker {
  /** `2/4`: the second of four. */
  readonly shard: string
  readonly host: string
  readonly requests: number
  /** How late its requests were sent, in milliseconds. */
  readonly lagMs: Distribution
  /** Mean time between two of its requests, as planned. */
  readonly gapMs: number
  /** 99th percentile of `lagMs` / `gapMs`. */
  readonly scheduleError: Figure
  readonly clock: StartClock
}

/** A worker whose schedule error is above this share did not send the load that was asked for. */
export const largestScheduleError = 0.05

/** @param lags how late each of its requests was sent, in milliseconds */
export function loadWorker(
  worker: Pick<LoadWorker, "shard" | "host" | "gapMs" | "clock">,
  lags: readonly number[],
): LoadWorker {
  const lagMs = distributionOf(Float64Array.from(lags).sort(), speedReasons.nothingStarted)
  const late = figureValue(lagMs.p99)
  const scheduleError: Figure =
    late === null
      ? unknown(speedReasons.nothingStarted)
      : { status: "known", value: late / worker.gapMs, n: lags.length, method: speedMethods.scheduleError }
  return { ...worker, requests: lags.length, lagMs, scheduleError }
}

/** The workers that kept their schedule too badly: any of them makes the whole level void. */
export function lateWorkers({ workers = [] }: Pick<BenchLevel, "workers">): readonly LoadWorker[] {
  return workers.filter(({ scheduleError }) => (figureValue(scheduleError) ?? 0) > largestScheduleError)
}

/**
 * Whether what was asked of a level is void: all of it where a worker was late, since another load was sent than was asked for; else what rests on one
 * of these figures that the client's own error is too large for.
 */
export function isVoid(
  level: Pick<BenchLevel, "doubtful" | "workers">,
  figures: readonly DoubtfulFigure["figure"][] = [],
): boolean {
  return lateWorkers(level).length > 0 || level.doubtful.some(({ figure }) => figures.includes(figure))
}
