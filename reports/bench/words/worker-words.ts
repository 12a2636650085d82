import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import {
  type LoadWorker,
  largestScheduleError,
  lateWorkers,
  type StartClock,
} from "../../../src/perf/bench/load-worker.ts"
import { counted, significant } from "../../../src/words/number.ts"
import { figureWords } from "./figure-words.ts"

/** Each worker's part of a shared load: how well it kept its schedule, and by whose clock it began. */
export function workerSentences({ workers = [] }: BenchLevel): readonly string[] {
  return workers.map(
    (worker) =>
      `worker ${nameOf(worker)}: ${counted(worker.requests, "request")}, ${lateWords(worker)}; ${clockWords(worker.clock)}`,
  )
}

/** The workers that make a level invalid; empty where it is not. */
export function lateWorkerDoubts(level: BenchLevel): readonly string[] {
  return lateWorkers(level).map(
    (worker) =>
      `worker ${nameOf(worker)} did not keep its schedule: ${lateWords(worker)}, and more than ${largestScheduleError * 100}\u00a0% is another load than the one that was asked for`,
  )
}

function nameOf({ shard, host }: LoadWorker): string {
  return `${shard} (${host})`
}

function lateWords({ lagMs, gapMs, scheduleError }: LoadWorker): string {
  const error = figureValue(scheduleError)
  const share = error === null ? "unknown" : `${significant(error * 100)} %`
  return `sent ${figureWords(lagMs.p99)} ms late at p99, ${share} of the ${significant(gapMs)} ms between two of its requests`
}

function clockWords({ server, aheadMs, errorMs, reason }: StartClock): string {
  if (server === null || aheadMs === null || errorMs === null)
    return `began by its machine's clock, and how far that is off is not known (${reason ?? "not measured"})`
  const side = aheadMs < 0 ? "behind" : "ahead of"
  return `began by the clock of ${server}, known to within ${significant(errorMs)} ms; its machine's is ${significant(Math.abs(aheadMs))} ms ${side} it`
}
