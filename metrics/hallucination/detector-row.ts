import type { Generation } from "../../src/core/generation.ts"
import type { Sample } from "../../src/core/sample.ts"
import { isPositive } from "../fairness/decision-metric.ts"
import type { JudgedPart } from "../judged/judged-metric.ts"

/**
 * A part of the answer that nothing supports: its place (UTF-16 units), for the report to mark, and why.
 * @experimental
 */
export interface Offence {
  readonly text: string
  readonly start: number
  readonly reason: string
  /** Where several detectors look: which of them objects. */
  readonly detector?: string
}

/** What a detector found in one answer. @experimental */
export interface Assessment {
  /** How much of what was checked is not supported; 0..1 unless the detector states another range. */
  readonly score: number
  /** Statements (or facts, sentences) checked, and those that are not supported. */
  readonly checked: number
  readonly unsupported: number
  readonly offences: readonly Offence[]
  /** Every statement that a model looked at, with its verdict; absent where no model did. */
  readonly checks?: readonly JudgedPart[]
}

/** One answer under a detector. @experimental */
export type DetectorRow = Assessment & {
  readonly flagged: boolean
  /** Tokens of the answer; null when unknown. */
  readonly tokens: number | null
  /** Whether people called it hallucinated; null without a label. */
  readonly label: boolean | null
}

/** Marked places that are kept for the report. */
const maxOffences = 20

/** The row of an assessed answer, with a bounded number of marked places. */
export function detectorRow(
  assessment: Assessment,
  flagged: boolean,
  sample: Sample,
  { usage }: Generation,
): DetectorRow {
  return {
    ...assessment,
    offences: assessment.offences
      .slice(0, maxOffences)
      .map((offence) => ({ ...offence, text: offence.text.slice(0, 500) })),
    flagged,
    tokens: usage.completionTokens,
    label: sample.label === undefined ? null : isPositive(sample.label),
  }
}
