import { messagesOf, parametersOf } from "../../calls/model-request.ts"
import type { Tool } from "../../core/episode/design.ts"
import type { ModelStep, SummaryStep, UserStep } from "../../core/episode/step.ts"
import { EvalkitError, messageOf } from "../../core/errors.ts"
import type { Answer, Failure, Generation } from "../../core/generation.ts"
import type { ToolCall } from "../../core/message.ts"
import { isAnswered, isFailure, type Outcome } from "../../core/outcome.ts"
import { inputText, type Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { costOfGeneration } from "../../cost/cost-of-usage.ts"
import { episodeWords } from "../../words/run/episode.ts"
import { type AskingPhase, askWithin } from "../generate/ask-within.ts"
import type { SavingPhase } from "../generate/save-answer.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"
import { askUser } from "./ask-user.ts"
import { callTools, type ToolWorld } from "./call-tools.ts"
import { openEpisodeLog } from "./episode-log.ts"
import { designOf } from "./is-episode.ts"
import { type NextAction, nextAction, type Script } from "./next-action.ts"
import { openSample } from "./open-sample.ts"
import { saveEpisode } from "./save-episode.ts"
import { summarise } from "./summarise.ts"
import type { EpisodeTools } from "./tool-servers.ts"

/** One episode of the plan. */
export interface EpisodeTask {
  readonly call: PlannedCall
  readonly sample: Sample
  /** The failure whose place it takes; null where there was none. */
  readonly earlier: Generation | null
  readonly originMs: number
}

/** What episodes need of a phase. */
interface EpisodePhase extends AskingPhase, SavingPhase {
  /** Whether another process goes on with them by now. */
  isLost?(): boolean
}

/**
 * Goes through a conversation or a loop over tools, each step on disk before the next, and saves it as one answer. Where it cannot go on
 * now (budget, interruption, outage), its steps stay on record, and a later process takes it up. Where another one has taken it up already,
 * nothing more is asked or called.
 */
export async function makeEpisode(run: RunStage, phase: EpisodePhase, task: EpisodeTask): Promise<void> {
  const { control, store, record, evaluation } = run
  const { variant, observer, commit } = phase
  const { call, sample, earlier, originMs } = task
  const design = designOf(variant)
  const tools = new Map<string, Tool>(design.tools.map((tool) => [tool.name, tool]))
  const { log, taken } = await openEpisodeLog({ store, commit, runId: record.id, call, tools, earlier })
  if (taken.how !== "new") {
    const at = new Date(control.clock.wall()).toISOString()
    const { variant: name, sampleId, repeat } = call
    store.saveEvent(record.id, { at, kind: "episode_resumed", data: { variant: name, sampleId, repeat, ...taken } })
  }
  const open = openSample(sample)
  const state = await design.state?.(open)
  const world: ToolWorld = {
    tools,
    state,
    sample: open,
    signal: control.requestSignal,
    seed: `${evaluation.seed}/tools/${sample.id}/${call.repeat}`,
    now: () => control.clock.now() - originMs,
  }
  const { user } = design
  const script: Script = {
    design,
    opening: (said) =>
      messagesOf(variant, said === undefined || sample.input !== null ? sample : { ...sample, input: said }),
    first: sample.input === null ? null : inputText(sample),
    turns: sample.turns ?? [],
    ...(user?.done && { isDone: () => user.done?.(world.state) === true }),
  }
  let isCold = false
  const end = async (
    outcome: Outcome,
    failed?: ModelStep | UserStep | SummaryStep,
    failure?: Failure,
  ): Promise<void> => {
    const steps = failed ? [...log.steps, failed] : log.steps
    const ended = { ...task, steps, outcome, state: design.state ? world.state : undefined, isCold }
    await saveEpisode(run, phase, { ...ended, ...(failure && { failure }) })
  }
  observer.callStarted(variant.name)
  const offered = await offeredTo(run, variant, world)
  if ("failure" in offered)
    return control.signal.aborted
      ? observer.callDropped(variant.name)
      : end("application_error", undefined, offered.failure)
  for (const tool of offered.tools) tools.set(tool.name, tool)
  try {
    await goThrough()
  } catch (error) {
    // Its steps are the other's to write.
    if (!phase.isLost?.()) throw error
    observer.callDropped(variant.name)
  } finally {
    await offered.end()
  }

  async function goThrough(): Promise<void> {
    for (;;) {
      const next = nextAction(script, log.steps)
      if (next.kind === "end") return end(next.outcome)
      if (control.signal.aborted || phase.isLost?.()) return observer.callDropped(variant.name)
      if (next.kind === "call") {
        await callTools(world, log, next)
        continue
      }
      if (next.kind === "summarise") {
        const summary = design.history !== "full" && design.history.summary
        const summed = summary && (await summarise(run, variant, { summary, ...next }))
        if (!summed) return observer.callDropped(variant.name)
        if (!isAnswered(summed.outcome)) return end("application_error", summed, failureOfSummary(summed))
        await log.add(summed)
        continue
      }
      if (next.kind === "user") {
        const said = user && (await askUser(run, variant, { user, call, sample: open, ...next }))
        if (!said) return observer.callDropped(variant.name)
        if (!isAnswered(said.outcome)) return end("user_failed", said)
        await log.add(said)
        continue
      }
      const answered = await ask(run, phase, task, next, log.steps.length)
      if (!answered) return observer.callDropped(variant.name)
      isCold ||= answered.isCold && log.steps.length === 0
      // A failure ends the episode: both are written at once.
      if (isFailure(answered.step.outcome)) return end(answered.step.outcome, answered.step)
      await log.add(answered.step)
    }
  }
}

function failureOfSummary({ turn, failure, outcome }: SummaryStep): Failure {
  return { message: episodeWords.summary(turn + 1, failure?.message ?? outcome).slice(0, 2000) }
}

/** The tools that an episode's sources offer it; or why there are none, which is the end of the episode. */
async function offeredTo(
  { toolServers }: RunStage,
  variant: Variant,
  episode: Pick<ToolWorld, "state" | "sample">,
): Promise<EpisodeTools | { readonly failure: Failure }> {
  if (!variant.episode?.sources?.length || !toolServers) return { tools: [], end: async () => {} }
  try {
    return await toolServers.forEpisode(variant, episode)
  } catch (error) {
    const code = error instanceof EvalkitError ? error.code : "tool_source"
    return { failure: { message: messageOf(error).slice(0, 2000), code } }
  }
}

/** The model's next answer; null when there is none for now. */
async function ask(
  run: RunStage,
  phase: EpisodePhase,
  { call, sample, originMs }: EpisodeTask,
  { turn, messages }: Extract<NextAction, { kind: "ask" }>,
  number: number,
): Promise<{ readonly step: ModelStep; readonly isCold: boolean } | null> {
  const { cache } = run.control
  const { variant } = phase
  const request = { messages, parameters: parametersOf(variant, call.repeat) }
  const cached = cache.find(variant, request, call.repeat)
  const stepOf = (answer: Answer, retries: ModelStep["retries"]): ModelStep => ({
    kind: "model",
    turn,
    outcome: answer.outcome,
    text: answer.text,
    reasoning: answer.reasoning,
    toolCalls: withIds(answer.toolCalls, number),
    finishReason: answer.finishReason,
    usage: answer.usage,
    log: answer.log,
    retries,
    cost: costOfGeneration({ ...answer, retries }, variant.price),
    failure: answer.failure,
    httpStatus: answer.httpStatus,
    servedModel: answer.servedModel,
    messages: messages.length,
    ...(answer.differences && { differences: answer.differences }),
  })
  if (cached) return { step: { ...stepOf(cached, []), isReplayed: true }, isCold: false }
  const asked = await askWithin(run, phase, { call, sample, request, originMs, step: number })
  if (!asked) return null
  const { answer, retries, isCold } = asked
  const step = stepOf(answer, retries)
  asked.settle(step)
  const { refused: _refused, ...kept } = answer
  cache.keep(variant, request, call.repeat, kept)
  return { step, isCold }
}

/** Calls with ids that no other call of the episode has: some services give none, or the same ones in every answer. */
function withIds(calls: readonly ToolCall[], number: number): readonly ToolCall[] {
  const used = new Set<string>()
  return calls.map((call, index) => {
    const own = call.id !== undefined && call.id !== "" && !used.has(call.id) ? call.id : `call_${number}_${index}`
    used.add(own)
    return { ...call, id: own }
  })
}
