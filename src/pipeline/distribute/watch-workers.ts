import type { RunStage } from "../../run/run-stage.ts"
import { distributeWords } from "../../wording/distribute.ts"
import { aliveSeconds } from "./timing.ts"
import { decodeWorkerData, type WorkerData } from "./worker-data.ts"

/** A worker, as the coordinator sees it. */
export interface SeenWorker {
  readonly number: number
  readonly name: string
  readonly data: WorkerData
  /** It was heard lately, and has not said that it ends. */
  readonly isAlive: boolean
}

/** The workers of a run, by number. */
export function seeWorkers({ store, record }: RunStage): readonly SeenWorker[] {
  return store.workers(record.id).map(({ number, name, silentSeconds, data }) => {
    const said = decodeWorkerData(data)
    return { number, name, data: said, isAlive: silentSeconds < aliveSeconds && !said.hasEnded }
  })
}

/** What all workers of a run say that their calls cost, in US dollars; null where one does not know. */
export function spentByWorkers(run: RunStage): number | null {
  return seeWorkers(run).reduce<number | null>(
    (sum, { data: { spentUsd } }) => (sum === null || spentUsd === null ? null : sum + spentUsd),
    0,
  )
}

/** One line about them. */
export function workersText(workers: readonly SeenWorker[]): string {
  const alive = workers.filter(({ isAlive }) => isAlive)
  if (alive.length === 0) return distributeWords.noWorker
  const perSecond = alive.reduce((sum, { data }) => sum + data.perSecond, 0)
  const each = alive.slice(0, named).map(textOf).join(" · ")
  const more = alive.length > named ? ` · ${alive.length - named} more` : ""
  return `${alive.length} ${alive.length === 1 ? "worker" : "workers"}, ${perSecond.toFixed(1)} answers/s: ${each}${more}`
}

/** Workers that one line names. */
const named = 6

/** How fast it answers, how late its timers come, and how far its clock is from the store's. */
function textOf({ name, data: { perSecond, lagMs, clock, isShort } }: SeenWorker): string {
  const offset = clock === null ? "" : `, clock ${clock.offsetMs.toFixed(1)} ± ${clock.errorMs.toFixed(1)} ms`
  return `${name} ${perSecond.toFixed(1)}/s${isShort ? distributeWords.waits : ""}, late by ${Math.round(lagMs)} ms${offset}`
}

/** How long workers may all lack something until the run ends without it, in milliseconds. */
const patienceMs = 6_000

/** Why a run ends without all its answers. */
export interface Stopped {
  readonly reason: string
  /** What would be answered would be judged by nobody: nothing is to be scored, either. */
  readonly isUseless: boolean
}

/**
 * Why no worker can go on; null while one can, or none has come yet.
 *
 * @param stillMs how long nothing has been answered or scored
 */
export function whatStops({ evaluation }: RunStage, workers: readonly SeenWorker[], stillMs: number): Stopped | null {
  if (stillMs < patienceMs) return null
  const alive = workers.filter(({ isAlive }) => isAlive)
  if (alive.length > 0 && alive.every(({ data }) => data.isShort)) {
    const { usd, tokens, requests } = evaluation.budget
    const limit =
      usd !== undefined ? `$${usd}` : `${tokens ?? requests} ${tokens !== undefined ? "tokens" : "requests"}`
    return { reason: distributeWords.budget(limit), isUseless: false }
  }
  if (alive.length > 0) return null
  for (const { data } of workers) {
    if (data.stopReason !== null) return { reason: data.stopReason, isUseless: true }
    if (data.failure !== null) return { reason: data.failure, isUseless: false }
  }
  return null
}
