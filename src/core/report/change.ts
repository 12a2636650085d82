/** A difference of times is `within` the client's own error, or that error is `unmeasured`. @public */
export type TimingError = "within" | "unmeasured"

/** Figures that a swap may gain on. @public */
export type ChangedFigure = "costUsd" | "e2eMs" | "ttftMs" | "modelBytes"

/** How the 99th percentile of a time changes. @public */
export interface TailChange {
  /** candidate / baseline − 1 */
  readonly share: number
  /** Whether the intervals of the two percentiles do not meet, and the client's own error could not have made the difference. */
  readonly isProven: boolean
}

/** How much less or more of a figure the candidate needs than the baseline, as a share of the baseline. @public */
export interface Change {
  readonly figure: ChangedFigure
  /** candidate / baseline − 1: −0.38 is 38 % less. */
  readonly share: number
  /** Two-sided (1 − alpha) interval of the share; null where nothing bounds it. Equal to the share where it is exact. */
  readonly low: number | null
  readonly high: number | null
  /** Whether the interval leaves 0 out: only then may a sentence state a change. */
  readonly isProven: boolean
  /** Whether it is proven and at least as large as the smallest gain worth a swap. */
  readonly isMaterial: boolean
  /** Pairs behind it; where they are not paired, answers of the side that has fewer. */
  readonly n: number
  /** False: all answers of one side against all of the other. Absent: pairs. */
  readonly isPaired?: boolean
  /** Turns of the two variants on the machine that the pairs fall into; null where they are not known. */
  readonly turns: number | null
  /** Why an interval that leaves 0 out proves nothing: evalkit's own error of times could have made it, or was not measured. Absent: no such doubt. */
  readonly timingError?: TimingError
  /** The slowest answers, where they change otherwise than the times as a whole. */
  readonly tail?: TailChange
  readonly method: string
  /** `38 % cheaper`. */
  readonly text: string
}
