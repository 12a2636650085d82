import { chooseAnswers, type Drawn } from "../../analyse/judge-validation/choose-answers.ts"
import type { JudgedAnswer } from "../../analyse/judge-validation/judged-answer.ts"
import { isDisputed } from "../../analyse/judge-validation/people.ts"
import { storedVerdicts } from "../../analyse/judge-validation/stored-verdicts.ts"
import type { HumanLabel } from "../../core/report/section-judge.ts"
import { callId } from "../../core/run/call-id.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { labelScores } from "./scale.ts"

/** What a person wants to label, and as whom. */
export interface LabelWish {
  readonly labeller: string
  /** The run's first judge metric when undefined. */
  readonly metric: string | undefined
  readonly by: Drawn | "dispute"
  /** To have the last word on answers on which people differ. */
  readonly adjudicate: boolean
  readonly policy: string | undefined
  /** Answers at most. */
  readonly limit: number
  readonly seed: number
  /** Score between good and bad; the middle of the scale when null. */
  readonly threshold: number | null
  /** Scores to choose from, as in `0,0.5,1`. */
  readonly scores: string | undefined
}

/** The answers that one person labels, one after the other. */
export interface LabelQueue {
  readonly metric: string
  readonly decides: boolean
  /** In the order in which they are shown; without those that have the person's label already. */
  readonly answers: readonly JudgedAnswer[]
  /** Labels that the person gave before to answers of the same draw: kept, and counted for it. */
  readonly kept: readonly HumanLabel[]
  /** What keys stand for, ascending. */
  readonly scores: readonly number[]
  /** The row of a label that is given now. */
  label(answer: JudgedAnswer, score: number, at: string): HumanLabel
}

/**
 * The queue of `evalkit label`, in the terminal and in the browser: which answers of a run a person is to label, in which order.
 * Nothing is written.
 *
 * @throws {UsageError} for a run without judged answers, and for scores that are none
 */
export function labelQueue(store: RunStore, record: RunRecord, wish: LabelWish): LabelQueue {
  const { labeller, policy, by, adjudicate: decides } = wish
  const { metric, answers } = storedVerdicts(store, record, wish.metric, decides ? policy : undefined)
  const facts = {
    metric,
    labeller,
    ...(policy !== undefined && { policy }),
    ...(decides && { role: "last_word" as const }),
  }
  const own = store
    .labels(record.id)
    .filter(
      (label) =>
        label.labeller === labeller && label.metric === metric && label.policy === policy && label.role === facts.role,
    )
  const done = new Map(own.map((humanLabel) => [callId(humanLabel), humanLabel]))
  const drawn: Drawn = by === "chance" && !decides ? "chance" : "doubt"
  const candidates = (by === "dispute" || decides ? disputed(answers, decides) : answers).filter((answer) => {
    const existing = done.get(callId(answer))
    // A draw by chance must be able to meet the doubtful answers that have a label already: what is left without them is better.
    return !existing || (drawn === "chance" && existing.drawn !== "chance")
  })
  const draw = chooseAnswers(candidates, {
    drawn,
    limit: wish.limit,
    seed: wish.seed,
    threshold: wish.threshold,
  })
  return {
    metric,
    decides,
    answers: draw.filter((answer) => !done.has(callId(answer))),
    kept: draw.flatMap((answer) => {
      const cached = done.get(callId(answer))
      return cached ? [{ ...cached, drawn }] : []
    }),
    scores: labelScores(answers, wish.scores),
    label: ({ variant, sampleId, repeat }, score, at) => ({ ...facts, variant, sampleId, repeat, score, drawn, at }),
  }
}

/** Why there is nothing to label. */
export function nothingLeft(runId: string, by: LabelWish["by"], decides: boolean): string {
  return by === "dispute" || decides
    ? `No answer of run ${runId} has labels that differ${decides ? " and no last word" : " and lacks yours"}.`
    : `Every answer of run ${runId} has your label already.`
}

/** Answers on which people differ; for the last word those that have none yet. */
function disputed(answers: readonly JudgedAnswer[], decides: boolean): readonly JudgedAnswer[] {
  return answers.filter((answer) => isDisputed(answer) && !(decides && answer.lastWord !== null))
}
