import { liveSteps } from "../../core/episode/episode.ts"
import type { EpisodeStep, ModelStep, ToolStep } from "../../core/episode/step.ts"
import { isFailure } from "../../core/outcome.ts"

/** An answer of the model, or the calls of tools that one answer asked for, with its place on the episode's own time line. */
export type TimedRound =
  | {
      readonly kind: "model"
      readonly turn: number
      readonly startMs: number
      readonly endMs: number
      readonly step: ModelStep
    }
  | {
      readonly kind: "tools"
      readonly turn: number
      readonly startMs: number
      readonly endMs: number
      readonly steps: readonly ToolStep[]
    }

/**
 * The steps of an episode one behind the other, in milliseconds from its first request: the time that the model and the tools took.
 * Waits between (for a rate limit, before another attempt, between two processes, for a simulated user) are left out, and so are answers
 * that failed and were asked again.
 */
export function timedRounds(steps: readonly EpisodeStep[]): readonly TimedRound[] {
  const live = liveSteps(steps)
  const rounds: TimedRound[] = []
  let now = 0
  live.forEach(({ number, step }, index) => {
    if (step.kind !== "model") return
    if (isFailure(step.outcome) && index < live.length - 1) return
    const { sendMs, endMs } = step.log
    const startMs = now
    now += Math.max(0, endMs - sendMs)
    rounds.push({ kind: "model", turn: step.turn, startMs, endMs: now, step })
    const called = live.flatMap(({ step: own }) => (own.kind === "tool" && own.asked === number ? [own] : []))
    if (called.length === 0) return
    const from = now
    now += busyMs(called)
    rounds.push({ kind: "tools", turn: step.turn, startMs: from, endMs: now, steps: called })
  })
  return rounds
}

/** Milliseconds in which at least one of these calls was under way. */
function busyMs(calls: readonly ToolStep[]): number {
  let total = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { startMs, endMs } of calls.toSorted((a, b) => a.startMs - b.startMs)) {
    total += Math.max(0, endMs - Math.max(startMs, until))
    until = Math.max(until, endMs)
  }
  return total
}
/** What an episode took, in milliseconds. */
export interface EpisodeTimes {
  readonly totalMs: number
  readonly modelMs: number
  readonly toolMs: number
}

/** Time of the model against time of the tools. */
export function episodeTimes(steps: readonly EpisodeStep[]): EpisodeTimes {
  let [modelMs, toolMs] = [0, 0]
  for (const { kind, startMs, endMs } of timedRounds(steps))
    if (kind === "model") modelMs += endMs - startMs
    else toolMs += endMs - startMs
  return { totalMs: modelMs + toolMs, modelMs, toolMs }
}
