import { addUsage } from "../../core/episode/add-usage.ts"
import { type Episode, modelSteps } from "../../core/episode/episode.ts"
import type { EpisodeStep, ModelStep } from "../../core/episode/step.ts"
import type { Failure, Generation } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import type { Outcome } from "../../core/outcome.ts"
import { addCosts } from "../../cost/price-answer.ts"
import { episodeLog, episodeRetries } from "../../perf/episode/episode-log.ts"
import { counted } from "../../words/number.ts"
import { episodeWords } from "../../words/run/episode.ts"
import { commitGeneration, type SavingPhase } from "../generate/save-answer.ts"
import type { RunStage } from "../run-stage.ts"
import type { EpisodeTask } from "./make-episode.ts"

/** An episode at its end. */
export interface EndedEpisode extends EpisodeTask {
  readonly steps: readonly EpisodeStep[]
  readonly outcome: Outcome
  /** Undefined where the episode had none. */
  readonly state: unknown
  readonly isCold: boolean
  /** Why it ended without the model's doing. */
  readonly failure?: Failure
}

/** Characters of JSON that a state may have to be kept. */
const maxState = 4 * 1024 * 1024

/** Puts an episode on disk as one answer, with what all of its steps cost: from here on it counts. */
export async function saveEpisode(
  stage: Pick<RunStage, "store" | "record" | "worker">,
  phase: SavingPhase,
  { call, sample, earlier, originMs, steps, outcome, state, isCold, failure }: EndedEpisode,
): Promise<void> {
  const all = steps.filter((step) => step.kind === "model")
  const live = modelSteps(steps)
  const last = live.at(-1)
  const turns = Math.max(1, sample.turns?.length ?? 1, ...live.map(({ turn }) => turn + 1))
  const episode: Episode = { steps, turns, ...(state !== undefined && keptState(state)) }
  const differences = last?.differences
  const generation: Generation = {
    outcome,
    text: last?.text ?? "",
    reasoning: last?.reasoning ?? "",
    toolCalls: live.flatMap(({ toolCalls }) => toolCalls),
    logprobs: null,
    finishReason: last?.finishReason ?? null,
    usage: addUsage(all.map(({ usage }) => usage)),
    log: episodeLog(steps, turns, originMs),
    httpStatus: last?.httpStatus ?? null,
    failure: failure ?? failureOf(outcome, steps),
    servedModel: last?.servedModel ?? null,
    server: null,
    ...(differences && { differences }),
    variant: call.variant,
    sampleId: call.sampleId,
    repeat: call.repeat,
    source: live.some(({ isReplayed }) => isReplayed) ? "replayed" : "measured",
    segment: phase.segment,
    ...(isCold && { isCold }),
    position: call.position,
    retries: episodeRetries(steps),
    cost: addCosts(all.map(({ cost }) => cost)),
    episode,
    ...(stage.worker && { worker: stage.worker.name }),
  }
  await commitGeneration(stage, phase, { call, earlier }, generation)
}

/** Why an episode did not end as it should; null where it did. */
function failureOf(outcome: Outcome, steps: readonly EpisodeStep[]): Failure | null {
  const live = modelSteps(steps)
  if (outcome === "step_limit") return { message: atTheLimit(live) }
  if (outcome === "turn_limit")
    return { message: episodeWords.userTurns(counted((live.at(-1)?.turn ?? 0) + 1, "turn")) }
  const last = steps.at(-1)
  if (outcome !== "user_failed" || last?.kind !== "user") return live.at(-1)?.failure ?? null
  return { message: episodeWords.user(last.turn + 1, last.failure?.message ?? last.outcome) }
}

function atTheLimit(live: readonly ModelStep[]): string {
  const turn = live.at(-1)?.turn ?? 0
  const made = live.filter((step) => step.turn === turn).length
  return episodeWords.answerLimit(made, turn + 1)
}

function keptState(state: unknown): Pick<Episode, "state" | "noState"> {
  try {
    const text = JSON.stringify(state)
    if (text === undefined) return { noState: episodeWords.noJson }
    if (text.length > maxState) return { noState: episodeWords.largeState(text.length, maxState) }
    return { state: JSON.parse(text) as JsonValue }
  } catch {
    return { noState: episodeWords.noJson }
  }
}
