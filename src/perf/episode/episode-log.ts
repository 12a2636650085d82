import type { EpisodeStep } from "../../core/episode/step.ts"
import type { Attempt } from "../../core/generation.ts"
import type { RequestLog, Stage, StreamEvent } from "../../core/request-log.ts"
import { timedRounds } from "./step-times.ts"

/** Turns whose time is a stage of its own, at most. */
const maxTurns = 20

/**
 * The log of an episode as one: the events of all its answers one behind the other, without the waits between; model, tools and, where
 * there are several, turns as stages. So TTFT is that of the first answer, and the end that of the last.
 *
 * @param fallbackMs the moment of an episode without a step, on the clock of its part of the run
 */
export function episodeLog(steps: readonly EpisodeStep[], turns: number, fallbackMs = 0): RequestLog {
  const rounds = timedRounds(steps)
  const first = rounds.find((round) => round.kind === "model")?.step.log
  const originMs = first?.sendMs ?? fallbackMs
  const events: StreamEvent[] = []
  const stages: Stage[] = []
  let stalledMs = 0
  for (const round of rounds) {
    const [startMs, endMs] = [originMs + round.startMs, originMs + round.endMs]
    stages.push({ name: round.kind, startMs, endMs })
    if (turns > 1 && round.turn < maxTurns) stages.push({ name: `turn${round.turn + 1}`, startMs, endMs })
    if (round.kind === "tools") continue
    const { log } = round.step
    stalledMs += log.stalledMs ?? 0
    const shift = startMs - log.sendMs
    for (const event of log.events) events.push({ ...event, atMs: event.atMs + shift })
  }
  return {
    scheduledMs: first?.scheduledMs ?? fallbackMs,
    sendMs: originMs,
    connectMs: first?.connectMs ?? null,
    headersMs: first?.headersMs ?? null,
    events,
    endMs: originMs + (rounds.at(-1)?.endMs ?? 0),
    ...(stalledMs > 0 && { stalledMs }),
    ...(stages.length > 0 && { stages }),
  }
}

/** Attempts of all steps that failed before the one that counts. */
export function episodeRetries(steps: readonly EpisodeStep[]): readonly Attempt[] {
  return steps.flatMap((step) => (step.kind === "model" ? step.retries : []))
}
