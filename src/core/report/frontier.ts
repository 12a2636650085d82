/** One axis of a frontier. @public */
export interface FrontierAxis {
  /** `quality`, `ttftMs`, `e2eMs`, `tpotMs`, `costUsd`, `memoryBytes`, `energyJoules`, or any column. */
  readonly name: string
  readonly goal: "maximize" | "minimize"
  readonly unit?: string
}

/** One variant on the axes. @public */
export interface FrontierPoint {
  readonly variant: string
  /** One value per axis, in the axes' order. */
  readonly values: readonly number[]
  /** Interval per axis at the run's level; null where there is none. */
  readonly intervals: readonly ({ readonly low: number; readonly high: number } | null)[]
  readonly onFrontier: boolean
  /** Share of the joint bootstrap samples in which it was on the frontier; null without resampling. */
  readonly membershipProbability: number | null
  /** Variants that dominate it at the point estimate. */
  readonly dominatedBy: readonly string[]
  /** Variants that are not distinguishable on any axis share a number. */
  readonly tieGroup: number | null
  /** Whether the point itself keeps every limit. */
  readonly meetsConstraints: boolean
  /** The same by the intervals of the axes; absent without limits. */
  readonly limits?: LimitState
}

/** Whether a limit is kept, as far as is known: by the whole interval of a figure, by none of it, or by a part. @public */
export type LimitState = "kept" | "violated" | "open"

/** The Pareto set over chosen axes. @public */
export interface Frontier {
  readonly axes: readonly FrontierAxis[]
  readonly points: readonly FrontierPoint[]
  /** Variants left out because an axis is unknown for them, with the reason. */
  readonly excluded: readonly { readonly variant: string; readonly reason: string }[]
  /** The variant farthest from the chord between the ends; null with fewer than three members. */
  readonly knee: string | null
  readonly hypervolume: number | null
  /** dominance[i][j]: share of bootstrap samples in which points[i] dominates points[j]. */
  readonly dominance: readonly (readonly number[])[] | null
  readonly constraints: readonly string[]
  /** How it was computed: resamples, seed. */
  readonly method: string
}

/** A way of asking several variants, simulated from a run's own rows. @public */
export interface RouterCurve {
  /**
   * `cascade` (when absent): "first, escalate below confidence t", a curve over t. `best_of`: all are asked and a judge
   * keeps one answer, a single point.
   */
  readonly kind?: "cascade" | "best_of"
  readonly stages: readonly string[]
  /** Metric that chooses the answer of a `best_of`. */
  readonly judge?: string
  readonly points: readonly {
    readonly threshold: number
    /** Threshold of every stage but the last, where a cascade has more than two. */
    readonly thresholds?: readonly number[]
    readonly quality: number
    readonly costUsd: number | null
    readonly e2eMs: number | null
    readonly escalated: number
  }[]
  /** The last stage alone, over the same samples; absent in a `best_of` and in older reports. */
  readonly alone?: { readonly quality: number; readonly costUsd: number | null; readonly e2eMs: number | null }
  /** What `chosen` promises; absent in a `best_of` and in older reports. */
  readonly promise?: {
    /** Largest loss against the last stage alone, in the metric's own unit. */
    readonly margin: number
    /** Share of wrong promises, at most, over all cascades of `family`. */
    readonly alpha: number
    /** Cascades that share alpha. */
    readonly family: number
    /** Samples (and repeats) that the cascade was simulated from. */
    readonly samples: number
    /** Whether the promise is shown for any threshold at all, cheaper or not. */
    readonly isShown: boolean
  }
  /**
   * The cheapest cascade of which it is shown that it is not worse than the last stage alone by more than the margin; null
   * where that is shown for none, or where none of these is cheaper.
   */
  readonly chosen: {
    readonly threshold: number
    /** Threshold of every stage but the last, where a cascade has more than two. */
    readonly thresholds?: readonly number[]
    readonly quality: number
    readonly escalated: number
    readonly costUsd?: number | null
    readonly e2eMs?: number | null
    /** Cascade − last stage alone, with its interval at 1 − `promise.alpha`, shared out over the family. */
    readonly difference?: number
    readonly low?: number | null
    readonly high?: number | null
  } | null
  /** What the curve says, in plain words. */
  readonly sentence?: string
  readonly method: string
}
