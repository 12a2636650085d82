import { type Episode, summarySteps, userTurns } from "../../src/core/episode/episode.ts"
import type { ToolCall } from "../../src/core/message.ts"
import type { Sample } from "../../src/core/sample.ts"
import { type TimedRound, timedRounds } from "../../src/perf/episode/step-times.ts"

/** One entry of an episode as people read it. Its texts are the model's, the tools' and the data set's: hostile. */
export interface ThreadEntry {
  readonly who: "user" | "model" | "tool" | "summary"
  /** Of a tool: its name and how the call ended; of the model: how its answer ended, where it was not as it should. */
  readonly label: string
  readonly text: string
  /** Milliseconds of the episode's own time line, waits left out; null for what took none. */
  readonly startMs: number | null
  readonly endMs: number | null
}

/** Entries of one episode that are shown, at most. */
export const maxEntries = 200

/**
 * An episode as a thread: what the user said, what the model answered and called, what the tools gave back. What a restart gave up is left
 * out; the first turn is the sample's input, which stands elsewhere where it is more than a text.
 */
export function episodeThread(
  { steps }: Pick<Episode, "steps">,
  sample: Pick<Sample, "input" | "turns">,
): readonly ThreadEntry[] {
  const said = userTurns(steps)
  const summaries = summarySteps(steps)
  const entries: ThreadEntry[] = []
  let turn = -1
  for (const round of timedRounds(steps)) {
    if (round.turn !== turn) {
      entries.push(...userEntry(sample, said, round.turn))
      for (const { until, text } of summaries.filter((summary) => summary.turn === round.turn))
        entries.push({ who: "summary", label: shownFor(until), text, startMs: null, endMs: null })
    }
    turn = round.turn
    entries.push(...(round.kind === "model" ? modelEntries(round) : toolEntries(round)))
  }
  const last = said.at(-1)
  if (last?.isOver)
    entries.push({ who: "user", label: "ended the conversation", text: last.text, startMs: null, endMs: null })
  return entries.slice(0, maxEntries)
}

function shownFor(until: number): string {
  return until === 1 ? "shown in place of the first turn" : `shown in place of the first ${until} turns`
}

function userEntry(
  { input, turns }: Pick<Sample, "input" | "turns">,
  said: ReturnType<typeof userTurns>,
  turn: number,
): readonly ThreadEntry[] {
  const played = said[turn]
  const text = played?.text ?? (turn === 0 && typeof input === "string" ? input : (turns?.[turn]?.content ?? ""))
  return text === "" ? [] : [{ who: "user", label: played ? "simulated" : "", text, startMs: null, endMs: null }]
}

/** What a turn of the assistant says, and what it calls. */
export function withCalls(text: string, toolCalls: readonly ToolCall[] = []): string {
  const calls = toolCalls.map(({ name, arguments: values }) => `→ ${name} ${JSON.stringify(values)}`)
  return [text, ...calls].filter((line) => line !== "").join("\n")
}

function modelEntries({ startMs, endMs, step }: Extract<TimedRound, { kind: "model" }>): readonly ThreadEntry[] {
  const { text, toolCalls, outcome, failure } = step
  const label = outcome === "ok" ? "" : [outcome, failure?.message ?? ""].filter(Boolean).join(": ").slice(0, 300)
  return [{ who: "model", label, text: withCalls(text, toolCalls), startMs, endMs }]
}

function toolEntries({ startMs, steps }: Extract<TimedRound, { kind: "tools" }>): readonly ThreadEntry[] {
  const first = Math.min(...steps.map((step) => step.startMs))
  return steps
    .toSorted((a, b) => a.place - b.place)
    .map((step) => ({
      who: "tool",
      label: `${step.name} ${step.outcome}${step.isRepeated ? ", not called again" : ""}`,
      text: step.result,
      startMs: startMs + (step.startMs - first),
      endMs: startMs + (step.endMs - first),
    }))
}
