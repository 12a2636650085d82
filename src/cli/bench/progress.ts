import { count } from "../../../reports/format/number.ts"
import type { LevelProgress } from "../../engine/bench/measure-level.ts"
import type { LoadPlan } from "../../perf/load-plan.ts"
import type { CommandIo } from "../command.ts"

/** Live progress on stderr: a line that is redrawn on a terminal, one line for each level elsewhere. */
export interface BenchProgress {
  /** `null`: the load has ended and the client's own error is being measured. */
  tell(plan: LoadPlan, progress: LevelProgress | null): void
  done(): void
}

/** Shows nothing in the first second. */
export function createBenchProgress(io: CommandIo, now: () => number): BenchProgress {
  const startMs = now()
  let paintedMs = startMs + quietMs - paintEveryMs
  let lastPlan: LoadPlan | null = null
  let isPainted = false
  return {
    tell(plan, progress) {
      if (!io.interactive) {
        if (plan !== lastPlan) io.err(`${loadOf(plan)}\n`)
        lastPlan = plan
        return
      }
      if (now() - paintedMs < paintEveryMs) return
      paintedMs = now()
      isPainted = true
      const seconds = Math.round((now() - startMs) / 1000)
      const words = progress
        ? `${progress.target}: ${loadOf(plan)}: ${count(progress.ended)}${totalOf(plan)} answers, ${count(progress.inFlight)} in flight`
        : "measuring the client's own error"
      io.err(`\r\u001b[K${words.slice(0, Math.max(20, io.columns - 10))} · ${seconds} s`)
    },
    done() {
      if (isPainted) io.err("\r\u001b[K")
    },
  }
}

function loadOf(plan: LoadPlan): string {
  if (plan.kind === "open") return `open loop, ${plan.description}, ${count(plan.arrivals.length)} requests`
  return `closed loop, ${count(plan.concurrency)} in flight`
}

function totalOf(plan: LoadPlan): string {
  const total = plan.kind === "open" ? plan.arrivals.length : plan.requests
  return total === undefined ? "" : `/${count(total)}`
}

const quietMs = 1000
const paintEveryMs = 200
