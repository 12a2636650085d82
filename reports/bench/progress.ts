import type { SearchProgress } from "../../src/bench/search-rate.ts"
import type { LevelProgress } from "../../src/perf/bench/bench-level.ts"
import { type LoadPlan, offeredRate } from "../../src/perf/load/load-plan.ts"
import { count, significant } from "../../src/words/number.ts"
import { duration } from "../../src/words/quantity.ts"
import { rateWords } from "./words/level-words.ts"

/** Where progress is shown. */
export interface ProgressScreen {
  /** Whether it is a terminal that may be redrawn. */
  readonly interactive: boolean
  readonly columns: number
  /** Writes to stderr. */
  err(text: string): void
}

/** Live progress on stderr: a line that is redrawn on a terminal, one line for each level elsewhere. */
export interface BenchProgress {
  /** `null`: the load has ended and the client's own error is being measured. */
  update(plan: LoadPlan, progress: LevelProgress | null): void
  /** The plan of a search for a rate, before it begins and after each of its levels. */
  search(variant: string, progress: SearchProgress): void
  done(): void
}

/** Shows nothing in the first second. */
export function createBenchProgress(io: ProgressScreen, now: () => number): BenchProgress {
  const startMs = now()
  let paintedMs = startMs + quietMs - paintEveryMs
  let level = { plan: null as LoadPlan | null, startMs, target: "" }
  let isPainted = false
  const spent = new Map<string, number | null>()
  return {
    update(plan, progress) {
      if (plan !== level.plan || (progress && progress.target !== level.target)) {
        if (!io.interactive && plan !== level.plan) io.err(`${loadOf(plan)}\n`)
        level = { plan, startMs: now(), target: progress?.target ?? level.target }
      }
      if (progress && progress.scored === undefined)
        spent.set(`${progress.target} ${loadOf(plan)} ${progress.block}`, progress.costUsd)
      if (!io.interactive || now() - paintedMs < paintEveryMs) return
      paintedMs = now()
      isPainted = true
      const words = progress
        ? `${progress.target}: ${loadOf(plan)}: ${stateOf(progress, now() - level.startMs, plan, [...spent.values()])}`
        : "measuring the client's own error"
      const seconds = ` · ${Math.round((now() - startMs) / 1000)} s`
      io.err(`\r\u001b[K${words.slice(0, Math.max(20, io.columns - seconds.length - 1))}${seconds}`)
    },
    search(variant, progress) {
      if (isPainted) io.err("\r\u001b[K")
      io.err(`${variant}: ${searchWords(progress)}\n`)
    },
    done() {
      if (isPainted) io.err("\r\u001b[K")
    },
  }
}

/** `level 5: 9.4/s (9.1 to 9.7), wanted within 5 %; about 3 min left`. */
function searchWords({ levels, levelMs, leftMs, precision, found }: SearchProgress): string {
  const left = leftMs < 1000 ? "" : `; about ${duration(leftMs)} left`
  const target = `wanted within ${significant(100 * precision)} %`
  if (levels === 0) return `levels of ${duration(levelMs)} until the highest rate is known, ${target}${left}`
  if (found === null) return `level ${levels}: the highest rate is not known yet${left}`
  const [low, high] = [significant(found.low), Number.isFinite(found.high) ? significant(found.high) : "unknown"]
  return `level ${levels}: ${significant(found.rate)}/s (${low} to ${high}), ${target}${left}`
}

/** `120/400 answers, 3 failed, 12.1/s, 23 s left, $0.0210, 8 in flight`: what is known of it. */
function stateOf(
  { ended, failed, inFlight, scored }: LevelProgress,
  elapsedMs: number,
  plan: LoadPlan,
  costs: readonly (number | null)[],
): string {
  if (scored !== undefined) return `${count(scored)}/${count(ended)} answers scored`
  const total = plan.kind === "open" ? plan.arrivals.length : plan.requests
  const perSecond = ended > 0 && elapsedMs > 0 ? (ended * 1000) / elapsedMs : null
  const leftMs = leftOf(plan, total, ended, perSecond, elapsedMs)
  const usd = costs.every((cost) => cost !== null) ? costs.reduce((sum, cost) => sum + cost, 0) : null
  return [
    `${count(ended)}${total === undefined ? "" : `/${count(total)}`} answers`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(perSecond === null ? [] : [`${significant(perSecond)}/s`]),
    ...(leftMs === null ? [] : [`${count(Math.ceil(leftMs / 1000))} s left`]),
    ...(usd === null ? [] : [`$${usd.toFixed(4)}`]),
    `${count(inFlight)} in flight`,
  ].join(", ")
}

/** Time left of a level by what will end it: its duration, its schedule or its count; null until it is known. */
function leftOf(
  plan: LoadPlan,
  total: number | undefined,
  ended: number,
  perSecond: number | null,
  elapsedMs: number,
): number | null {
  if (plan.kind === "open") return Math.max(0, (plan.arrivals.at(-1) ?? 0) - elapsedMs)
  const byCount = total !== undefined && perSecond !== null ? ((total - ended) * 1000) / perSecond : null
  const byTime = plan.durationMs === undefined ? null : plan.durationMs - elapsedMs
  const ends = [byCount, byTime].filter((left) => left !== null)
  return ends.length === 0 ? null : Math.max(0, Math.min(...ends))
}

function loadOf(plan: LoadPlan): string {
  if (plan.kind === "open") {
    const rate = offeredRate(plan.arrivals)
    const words = rate === null ? "" : `${rateWords(rate)}, `
    return `open loop, ${words}${plan.description}, ${count(plan.arrivals.length)} requests`
  }
  return `closed loop, ${count(plan.concurrency)} in flight`
}

const quietMs = 1000
const paintEveryMs = 200
