import type { HardwarePrice } from "../../../core/cost.ts"
import type { Generation } from "../../../core/generation.ts"
import { isFailure } from "../../../core/outcome.ts"
import { type Figure, unknown } from "../../../core/report/figure.ts"
import { usdPerBusySecond } from "../../../cost/hardware.ts"
import { answerLatency, isColdLatency } from "../../../perf/answer-latency.ts"
import { createOccupiedTime } from "../../../perf/load/occupied-time.ts"
import { seriesPercentile } from "../../../perf/percentile.ts"
import { createNumberList } from "../../../stats/number-list.ts"

/** One variant's answers so far: a few numbers of each, so that every look at them is quick. */
export interface FollowedVariant {
  /** Positions in the plan of the answers that were read. */
  readonly seen: Set<number>
  /** The highest of them; −1 without one. */
  readonly highest: number
  readonly failed: number
  add(generation: Generation): void
  /** Median of the time end to end: of warm answers, or of cold ones where there is no other. */
  e2eMs(): Figure
  /** What the answers cost together, as the terminal of the run tells it: hardware for the time that they took of it. */
  totalUsd(): Figure
}

/** A {@link FollowedVariant} of nothing yet; `alpha` is 1 − the level of the intervals, `hardware` what is paid by the hour, if anything is. */
export function followVariant(alpha: number, hardware: HardwarePrice | null): FollowedVariant {
  const seen = new Set<number>()
  const [warm, cold] = [createNumberList(), createNumberList()]
  let highest = -1
  let failed = 0
  let usd = 0
  let unpriced: string | null = null
  const occupied = createOccupiedTime()
  const workers = new Set<string | undefined>()
  return {
    seen,
    get highest() {
      return highest
    },
    get failed() {
      return failed
    },
    add(generation) {
      const { position, outcome, cost } = generation
      seen.add(position)
      highest = Math.max(highest, position)
      if (isFailure(outcome)) failed++
      const { e2eMs } = answerLatency(generation)
      if (e2eMs !== null) (isColdLatency(generation) ? cold : warm).push(e2eMs)
      if (cost.status === "known") usd += cost.usd
      else unpriced ??= cost.reason
      workers.add(generation.worker)
      if (generation.source !== "replayed")
        occupied.add(generation.segment, generation.log.sendMs, generation.log.endMs)
    },
    e2eMs() {
      const times = warm.length > 0 ? warm : cold
      return times.length === 0 ? unknown("no answer was timed yet") : seriesPercentile(times.values(), 50, "", alpha)
    },
    totalUsd() {
      if (seen.size === 0) return unknown("no answer is read yet")
      if (hardware !== null) {
        if (workers.size > 1) return unknown(severalClocks)
        const value = (usdPerBusySecond(hardware) * occupied.totalMs()) / 1000
        return {
          status: "known",
          value,
          n: seen.size,
          method: "hardware for the time that the answers so far took of it",
        }
      }
      if (unpriced !== null) return unknown(unpriced)
      return { status: "known", value: usd, n: seen.size, method: "sum of the answers so far" }
    },
  }
}

const severalClocks =
  "several workers asked hardware that is paid by the hour, and each has a clock of its own: the report shares it out"
