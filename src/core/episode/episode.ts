import type { JsonValue } from "../json.ts"
import { isAnswered } from "../outcome.ts"
import type { Sample } from "../sample.ts"
import type { EpisodeStep, ModelStep, RestartStep, SummaryStep, ToolStep, UserStep } from "./step.ts"

/** What a conversation or an agent did for one sample: part of its generation. @experimental */
export interface Episode {
  /** Everything in order. What comes before a restart was paid for and given up: see {@link liveSteps}. */
  readonly steps: readonly EpisodeStep[]
  /** Turns of the user: those that were planned, or that a simulated user had. */
  readonly turns: number
  /** What the tools left behind, as JSON; absent where the episode had no state. */
  readonly state?: JsonValue
  /** Why the state is not kept: it is no JSON, or too large. */
  readonly noState?: string
}

/** The steps that led to the answer, with their numbers: those after the last restart. @experimental */
export function liveSteps(
  steps: readonly EpisodeStep[],
): readonly { readonly number: number; readonly step: Exclude<EpisodeStep, RestartStep> }[] {
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

/** What a simulated user said, by turn; nothing where the sample holds the turn. @experimental */
export function userTurns(steps: readonly EpisodeStep[]): readonly (UserStep | undefined)[] {
  const said: (UserStep | undefined)[] = []
  for (const { step } of liveSteps(steps)) if (step.kind === "user" && isAnswered(step.outcome)) said[step.turn] = step
  return said
}

/** Summaries of earlier turns, in order; failed ones are as if they had not been asked for. @experimental */
export function summarySteps(steps: readonly EpisodeStep[]): readonly SummaryStep[] {
  return liveSteps(steps).flatMap(({ step }) => (step.kind === "summary" && isAnswered(step.outcome) ? [step] : []))
}

/** What the user said in each turn, from the sample or from a simulated user; of an input of several messages only the last. @experimental */
export function turnTexts(
  { steps, turns }: Pick<Episode, "steps" | "turns">,
  sample: Pick<Sample, "input" | "turns">,
): readonly string[] {
  const said = userTurns(steps)
  const { input } = sample
  const first = typeof input === "string" ? input : input?.findLast(({ role }) => role === "user")?.content
  return Array.from(
    { length: Math.max(1, turns) },
    (_, turn) =>
      said[turn]?.text ?? (turn === 0 ? (first ?? sample.turns?.[0]?.content) : sample.turns?.[turn]?.content) ?? "",
  )
}
