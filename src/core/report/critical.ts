/**
 * What became of the samples that must not break, by one deciding metric: none may go from right to wrong between the baseline and the
 * candidate. A sample is right where every answer to it has the metric's best value; an answer that failed is wrong.
 * @public
 */
export interface CriticalFinding {
  readonly metric: string
  /** Samples that must not break. */
  readonly samples: number
  readonly rightBaseline: number
  readonly rightCandidate: number
  /** Ids of the samples that went from right to wrong. */
  readonly broken: readonly string[]
  /** How many of {@link broken} have an answer that failed. */
  readonly brokenByFailure: number
  /** Samples that may have gone from right to wrong: an answer has no score, or was not asked for. */
  readonly unknown: number
  /**
   * Of samples like these, the share that the candidate gets right at least: the exact one-sided bound of Clopper and Pearson at 95 %.
   * Null where what is right is not known of one.
   */
  readonly atLeast: number | null
  readonly sentence: string
}

/**
 * How many samples break a check of the run, by an exact count. A sample breaks it where one of its answers does; an answer that failed is no
 * answer, and is counted by availability and by the metrics.
 * @public
 */
export interface BreakFinding {
  readonly metric: string
  /** Samples with a value of the metric on both sides, or on one. */
  readonly samples: number
  /** Samples whose answers break it. */
  readonly baseline: number
  readonly candidate: number
  /** Ids of the samples that break it with the candidate and not with the baseline. */
  readonly broken: readonly string[]
  /** Samples that may be such: an answer of one side has no score. */
  readonly unknown: number
  /** How many of {@link broken} may be. */
  readonly allowed: number
  readonly sentence: string
}
