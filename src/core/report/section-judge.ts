import type { UnscoredCode } from "../metric/unscored-code.ts"

/**
 * What one judge said of one answer, repeats and repairs included. Kept in the row of every judged answer.
 * @experimental
 */
export interface JudgeVerdict {
  /** Name of the judge within its panel. */
  readonly judge: string
  /** The model behind it, as its endpoint names it. */
  readonly model: string
  /** `abstained`: the judge said that it cannot decide. */
  readonly status: "scored" | "abstained" | "unscored"
  /** Mean over the repeats, in the rubric's range; an expected value where log-probabilities were used. */
  readonly score: number | null
  /** Score of the choice that was named most often: what agreement is counted on. */
  readonly choice: number | null
  /** What the judge gave as its reason (bounded), or why there is no score. */
  readonly reason: string | null
  /** Why there is no score, for programs; absent where there is one, and in rows of older stores. */
  readonly code?: UnscoredCode
  /** Score of each repeat that has one. */
  readonly repeats: readonly number[]
  /**
   * Pairwise judges: the judged answer's credit (1 won, 0 lost, 0.5 tie) per comparison, by the place in which it was
   * shown. `null`: that order brought no verdict.
   */
  readonly orders?: readonly { readonly first: number | null; readonly second: number | null }[]
  /**
   * Judges by a rubric that were asked with both orders of its verdicts: the choice's score by the order, per repeat. `null`: that order
   * brought no verdict.
   */
  readonly listings?: readonly { readonly worstFirst: number | null; readonly bestFirst: number | null }[]
  /** Pairwise judges: length in characters of the answer that it was compared with. */
  readonly otherCharacters?: number
  /** Requests that were made, cached ones included. */
  readonly calls: number
  /** Replies that could not be read at first; each was followed by one repair request. */
  readonly repaired: number
  /** Replies that could not be read after the repair, or that never came. */
  readonly failed: number
  /** Time that the calls took when they were made. */
  readonly seconds: number
  /** What the calls cost when they were made; null when a price or a token count is unknown. */
  readonly costUsd: number | null
  /** Whether the judge's model is also one of the candidates. */
  readonly alsoCandidate: boolean
}

/** Why a judge of a panel was not asked: its agreement with people is under the panel's threshold. @experimental */
export interface DroppedJudge {
  readonly judge: string
  readonly trust: number
  readonly threshold: number
}

/**
 * Row of every judged answer: the panel's value and what each member said. A single judge is a panel of one.
 * @experimental
 */
export interface PanelRow {
  readonly kind: "panel"
  /** Aggregate of the members. */
  readonly score: number
  /** Smallest and largest possible score. */
  readonly range: readonly [number, number]
  /** Largest minus smallest member score; null with fewer than two. */
  readonly disagreement: number | null
  /** Whether the stronger judge was asked. */
  readonly escalated: boolean
  readonly members: readonly JudgeVerdict[]
  readonly dropped: readonly DroppedJudge[]
  /** Value of the metric that is taken for the truth; null when that metric has none, absent when none was named. */
  readonly truth?: number | null
  /** Length of the judged answer in characters (code points). */
  readonly answerCharacters: number
}

/** A panel's row where the panel had no score: what its members did is kept beside the reason. @experimental */
export interface UnscoredPanel extends Omit<PanelRow, "score"> {
  readonly score: null
}

/** A person's score of one answer. @experimental */
export interface HumanLabel {
  readonly variant: string
  readonly sampleId: string
  readonly repeat: number
  /** The judge metric whose rubric was applied. */
  readonly metric: string
  readonly score: number
  /** Who labelled it, as they call themselves. */
  readonly labeller: string
  /**
   * How the answer was chosen: because judges were in doubt about it, or by chance. Only labels of answers drawn by chance
   * may correct a mean; those drawn by doubt say where judges fail.
   */
  readonly drawn: "doubt" | "chance"
  /** Name of the instructions that the person labelled by; absent: none was named. */
  readonly policy?: string
  /** `last_word`: given after a look at labels that differ; it counts in their place, and they stay. Absent: a label of its own. */
  readonly role?: "last_word"
  /** ISO 8601. */
  readonly at: string
}

/** Whether a row was made by a judge or a panel. @experimental */
export function isPanelRow(row: unknown): row is PanelRow | UnscoredPanel {
  return (
    typeof row === "object" &&
    row !== null &&
    "kind" in row &&
    row.kind === "panel" &&
    "members" in row &&
    Array.isArray(row.members)
  )
}
