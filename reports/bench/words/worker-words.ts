import { isAnswered, isFailure } from "../../../src/core/outcome.ts"
import type { ResourceUsage } from "../../../src/core/provider.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import {
  type LoadWorker,
  largestScheduleError,
  lateWorkers,
  type StartClock,
} from "../../../src/perf/bench/load-worker.ts"
import { counted, significant } from "../../../src/words/number.ts"
import { outcomeWords } from "../../wording/failure-reasons.ts"
import { figureWords } from "./level-words.ts"

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

/** How long a server that evalkit started took to be ready, and the first request on a fresh server and connection, which is in no figure. */
export function coldStartWords({ coldStarts, resources }: BenchResult): readonly string[] {
  return [...coldStarts].flatMap(([variant, { ttftMs, outcome, failure }]) => [
    ...startWords(variant, resources.get(variant)),
    ttftMs === null || !isAnswered(outcome)
      ? `${variant}: the first request ${isFailure(outcome) ? "failed" : "ended"}: ${outcomeWords[outcome]}${failure ? `: ${failure}` : ""}`
      : `${variant}: the cold first request took ${significant(ttftMs)} ms to its first token (not in the figures)`,
  ])
}

function startWords(variant: string, used: ResourceUsage | undefined): readonly string[] {
  if (used?.loadMs == null) return []
  const { loadMs, downloadMs, firstTokenMs } = used
  const download = downloadMs == null ? "" : ` (${significant(downloadMs)} ms of it downloading, by its log)`
  const first =
    firstTokenMs == null ? "" : `, its first request took ${significant(firstTokenMs)} ms to the first token`
  return [`${variant}: the server was ready ${significant(loadMs)} ms after its start${download}${first}`]
}
