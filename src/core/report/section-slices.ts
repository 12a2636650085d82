import type { Figure } from "./figure.ts"

/**
 * What the swap does to parts of the samples: by length, by field, by difficulty. Every slice is paired sample by sample; which of them
 * moved is decided for all slices of a figure together, so that at most a share of alpha of those that are called moved did not. A slice
 * moved where it lost or gained, and more than the rest of the samples did: where everything is worse by as much, no slice stands out.
 * @public
 */
export interface SlicesData {
  readonly baseline: string
  /** Metrics that decide and have a value a sample; then `ttftMs` (where the samples are sliced by `contextTokens`), `e2eMs` and `costUsd`, whose changes are shares of the baseline's. */
  readonly figures: readonly {
    readonly name: string
    /** What a metric's figure is called; absent where its name says it. */
    readonly title?: string
    readonly unit: string | null
    readonly direction: "higher" | "lower"
  }[]
  readonly axes: readonly SlicesOfAxis[]
  /** What two slices of two fields share, where it moved beyond what either of them did; absent: nothing. */
  readonly shared?: readonly SharedSlice[]
  /** Differences of what two fields share that were tested, for all candidates; absent: none. */
  readonly sharedTests?: number
  /** What was asked for and is not shown, with the reason. */
  readonly leftOut: readonly { readonly axis: string; readonly reason: string }[]
}

/** The slices along one axis. @public */
export interface SlicesOfAxis {
  /** As a config names it: `promptLength`, `metadata.subject` … */
  readonly axis: string
  readonly title: string
  /** What a reader must know of it; null: nothing. */
  readonly note: string | null
  readonly slices: readonly SliceRow[]
  /** Slices of too few samples: pooled into one of their own, or left out. */
  readonly small: { readonly slices: number; readonly samples: number; readonly pooled: boolean }
}

/** Samples that are in a slice of one field and in a slice of another. @public */
export interface SharedSlice {
  /** `language German and topic refunds` */
  readonly slice: string
  readonly axes: readonly [string, string]
  readonly samples: number
  readonly change: SliceChange
}

/** One slice. @public */
export interface SliceRow {
  readonly slice: string
  /** Samples of the data set that are in it. */
  readonly samples: number
  /** A figure a variant and figure, in their order: means of what was scored, medians of times. */
  readonly levels: readonly { readonly variant: string; readonly figures: readonly Figure[] }[]
  readonly changes: readonly SliceChange[]
}

/** What the swap does to a figure of a slice. @public */
export interface SliceChange {
  readonly candidate: string
  /** Name of the figure. */
  readonly figure: string
  /** Means over the pairs; failures count as the comparison counts them. */
  readonly before: number
  readonly after: number
  /** Candidate − baseline for metrics, a share of the baseline's for time and cost; with its own interval, not adjusted. */
  readonly difference: Figure
  /** The mean difference of the samples outside the slice; null where it is not tested against them. */
  readonly rest: number | null
  /** Two-sided, against 0, and of metrics against the rest of the samples, too: the larger; null where nothing can be tested. */
  readonly p: number | null
  /** By Benjamini and Hochberg over all slices and candidates of the figure's kind. */
  readonly pAdjusted: number | null
  /** What the slice did, where the adjusted p is at most alpha; else null. */
  readonly moved: "better" | "worse" | null
}
