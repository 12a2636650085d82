import type { GroupCommit } from "../../calls/group-commit.ts"
import type { Tool } from "../../core/episode/design.ts"
import { liveSteps } from "../../core/episode/episode.ts"
import type { EpisodeStep, ToolStep } from "../../core/episode/step.ts"
import type { Generation } from "../../core/generation.ts"
import { canonicalJson, type JsonValue } from "../../core/json.ts"
import { callId } from "../../core/run/call-id.ts"
import type { CallKey, RunStore } from "../../core/run/run-store.ts"
import { episodeWords } from "../../words/run/episode.ts"

/** The steps of one episode: each is on disk before it counts. */
export interface EpisodeLog {
  readonly steps: readonly EpisodeStep[]
  readonly calledBefore: CalledBefore
  add(step: EpisodeStep): Promise<void>
  /** Puts on record that a call is about to be made. @returns its number */
  begin(step: ToolStep): Promise<number>
  replace(number: number, step: ToolStep): Promise<void>
  /** Number of the step that says that a call was about to be made, where its end is missing. */
  begun(asked: number, index: number): number | null
}

/** What a log needs. */
export interface EpisodeLogOptions {
  readonly store: RunStore
  readonly commit: GroupCommit
  readonly runId: string
  readonly call: CallKey
  readonly tools: ReadonlyMap<string, Tool>
  /** The failed answer that is asked again: the episode goes on from its steps. */
  readonly earlier: Generation | null
}

/** How an episode that had steps on record goes on. */
export type Taken = { readonly how: "new" } | { readonly how: "went on" | "began anew"; readonly at: number }

/**
 * Takes up an episode where its steps on record end; where a tool has changed the state, which was lost with the process, it begins
 * anew.
 */
export async function openEpisodeLog(
  options: EpisodeLogOptions,
): Promise<{ readonly log: EpisodeLog; readonly taken: Taken }> {
  const { store, commit, runId, call, tools, earlier } = options
  const steps: EpisodeStep[] = [...(earlier?.episode?.steps ?? [])]
  for (const { step } of store.steps(runId, call)) steps.push(step)
  const write = (number: number, step: EpisodeStep): Promise<void> =>
    commit.save(() => store.saveStep(runId, call, number, step), step.kind === "model" ? callId(call) : "")
  const add = (step: EpisodeStep): Promise<void> => write(steps.push(step) - 1, step)

  const at = liveSteps(steps).length
  let taken: Taken = { how: "new" }
  if (at > 0) {
    const lost = liveSteps(steps).some(({ step }) => step.kind === "tool" && tools.get(step.name)?.effects === "state")
    taken = { how: lost ? "began anew" : "went on", at }
    if (lost) await add({ kind: "restart", reason: episodeWords.stateLost })
  }
  const log: EpisodeLog = {
    steps,
    calledBefore: calledBefore(steps, tools),
    add,
    async begin(step) {
      const number = steps.length
      await add(step)
      return number
    },
    replace(number, step) {
      steps[number] = step
      return write(number, step)
    },
    begun(asked, index) {
      const liveStep = liveSteps(steps).find(
        ({ step }) => step.kind === "tool" && step.asked === asked && step.place === index && step.outcome === "begun",
      )
      return liveStep?.number ?? null
    },
  }
  return { log, taken }
}

/** Ends of calls that are not to be made a second time. */
interface CalledBefore {
  /** The end of an equal call that was given up with its episode; each is given once. Null where there is none left. */
  take(name: string, value: JsonValue): ToolStep | null
}

/** What tools with effects outside did in the parts of an episode that a restart gave up. */
function calledBefore(steps: readonly EpisodeStep[], tools: ReadonlyMap<string, Tool>): CalledBefore {
  const until = steps.findLastIndex(({ kind }) => kind === "restart")
  const byKey = new Map<string, ToolStep[]>()
  for (const step of steps.slice(0, Math.max(0, until))) {
    // A repeated end is the same call as the one that it repeats.
    if (step.kind !== "tool" || step.isRepeated || tools.get(step.name)?.effects !== "outside") continue
    const key = keyOf(step.name, step.arguments)
    byKey.set(key, [...(byKey.get(key) ?? []), step])
  }
  const used = new Map<string, number>()
  return {
    take(name, value) {
      const key = keyOf(name, value)
      const next = used.get(key) ?? 0
      used.set(key, next + 1)
      return byKey.get(key)?.[next] ?? null
    },
  }
}

const keyOf = (name: string, value: JsonValue): string => `${name} ${canonicalJson(value)}`
