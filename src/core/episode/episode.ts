import type { JsonValue } from "../json.ts"
import type { EpisodeStep, ModelStep, ToolStep } from "./step.ts"

/** What a conversation or an agent did for one sample: part of its generation. @experimental */
export interface Episode {
  /** Everything in order. What comes before a restart was paid for and given up: see {@link liveSteps}. */
  readonly steps: readonly EpisodeStep[]
  /** Turns of the user that were planned. */
  readonly turns: number
  /** What the tools left behind, as JSON; absent where the episode had no state. */
  readonly state?: JsonValue
  /** Why the state is not kept: it is no JSON, or too large. */
  readonly noState?: string
}

/** The steps that led to the answer, with their numbers: those after the last restart. @experimental */
export function liveSteps(
  steps: readonly EpisodeStep[],
): readonly { readonly number: number; readonly step: ModelStep | ToolStep }[] {
  const from = steps.findLastIndex(({ kind }) => kind === "restart") + 1
  return steps.flatMap((step, number) => (number < from || step.kind === "restart" ? [] : [{ number, step }]))
}

/** The model's answers that led to the end, failed ones that were asked again left out. @experimental */
export function modelSteps(steps: readonly EpisodeStep[]): readonly ModelStep[] {
  return liveSteps(steps).flatMap(({ step }) => (step.kind === "model" ? [step] : []))
}

/** The calls of tools that led to the end. @experimental */
export function toolSteps(steps: readonly EpisodeStep[]): readonly ToolStep[] {
  return liveSteps(steps).flatMap(({ step }) => (step.kind === "tool" ? [step] : []))
}

/** The last answer to each turn that was answered, by turn. @experimental */
export function turnAnswers(steps: readonly EpisodeStep[]): readonly (ModelStep | undefined)[] {
  const answers: (ModelStep | undefined)[] = []
  for (const step of modelSteps(steps)) answers[step.turn] = step
  return answers
}
