import type { Episode } from "../../../src/core/episode/episode.ts"
import type { EpisodeStep, ModelStep } from "../../../src/core/episode/step.ts"
import type { Generation } from "../../../src/core/generation.ts"
import { isFailure } from "../../../src/core/outcome.ts"
import type { CallKey } from "../../../src/core/run/run-store.ts"
import { callsOf, turnsOf } from "./episodes.ts"
import type { World } from "./world.ts"

/** Steps of a conversation on record, whether it has ended or not. */
export function stepsOnRecord({ database }: World, runId: string, call: CallKey): readonly EpisodeStep[] {
  const steps = [...(database.outside.generation(runId, call)?.episode?.steps ?? [])]
  for (const { number, step } of database.outside.steps(runId, call)) steps[number] = step
  return steps
}

/** Answers of the model that went on, with the place that each has in its conversation; those before a beginning anew among them. */
export function answersOnRecord(
  steps: readonly EpisodeStep[],
): readonly { readonly step: ModelStep; readonly place: string; readonly isLive: boolean }[] {
  const anew = steps.findLastIndex((step) => step?.kind === "restart")
  let turns: number[] = []
  return steps.flatMap((step, number) => {
    if (step?.kind === "restart") turns = []
    if (step?.kind !== "model" || isFailure(step.outcome)) return []
    turns.push(step.turn)
    const location = `${step.turn}/${turns.filter((turn) => turn === step.turn).length - 1}`
    return [{ step, place: location, isLive: number > anew }]
  })
}

/** What does not hold of a conversation that is on record as an answer, each in words. */
export function conversationFaults(world: World, generation: Generation): readonly string[] {
  const { variant, sampleId, repeat, episode, outcome } = generation
  const what = `${variant} ${sampleId} ${repeat}`
  if (!episode) return [`${what} has no steps`]
  const broken: string[] = []
  const live = answersOnRecord(episode.steps).filter(({ isLive }) => isLive)
  const planned = placesOf(sampleId)
  const places = live.map(({ place }) => place)
  const expected = outcome === "ok" ? planned : planned.slice(0, places.length)
  if (places.join() !== expected.join()) broken.push(`${what} went ${places.join()} and not ${expected.join()}`)
  const notes: string[] = []
  /** Calls without a result, such as those that a process was stopped in for longer than they may take: they may have left their note. */
  const uncertain = new Set<string>()
  for (const { step, place } of live) {
    const number = episode.steps.indexOf(step)
    const ends = episode.steps.flatMap((entry) => (entry.kind === "tool" && entry.asked === number ? [entry] : []))
    if (ends.length > step.toolCalls.length) broken.push(`${what} has a call of ${place} twice`)
    if (outcome !== "ok") continue
    if (ends.length < step.toolCalls.length) broken.push(`${what} has no end of a call of ${place}`)
    for (const end of ends.toSorted((a, b) => a.place - b.place)) {
      const at = `${place}/${end.place}`
      const calls = world.tools?.calls.get(`${what} ${at} ${end.name}`) ?? 0
      if (end.outcome === "begun") broken.push(`${what} ${at} has no end`)
      if (end.outcome === "ok" && calls === 0) broken.push(`${what} ${at} is on record, and was never called`)
      if (end.name !== "note") continue
      if (end.outcome === "ok") notes.push(at)
      else uncertain.add(at)
    }
  }
  const left = notesOf(episode)
  if (outcome === "ok" && left.filter((at) => !uncertain.has(at)).join() !== notes.join())
    broken.push(`${what} left ${JSON.stringify(episode.state)}, and its calls ${notes.join()}`)
  return broken
}

/** No call with an effect outside is made twice, whatever became of the processes. */
export function toolFaults({ tools }: World): readonly string[] {
  const twice = [...(tools?.calls ?? [])].filter(([key, calls]) => key.endsWith(" book") && calls > 1)
  return twice.map(([key, calls]) => `${key} was called ${calls} times`)
}

/** Every answer of a conversation in order. */
function placesOf(sample: string): readonly string[] {
  const places: string[] = []
  for (let turn = 0; turn < turnsOf(sample); turn++)
    for (let answer = 0; ; answer++) {
      places.push(`${turn}/${answer}`)
      if (callsOf(sample, `${turn}/${answer}`).length === 0) break
    }
  return places
}

function notesOf({ state }: Episode): readonly string[] {
  return (state as { readonly notes?: readonly string[] } | undefined)?.notes ?? []
}
