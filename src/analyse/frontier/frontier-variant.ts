/** Interval of a figure that is a variant's as a whole; an end that is null is not bounded. @experimental */
export interface FigureBounds {
  readonly low: number | null
  readonly high: number | null
}

/** A variant on the axes of a frontier. @experimental */
export interface FrontierVariant {
  readonly name: string
  /** One value per axis, in the axes' order; null is unknown. */
  readonly values: readonly (number | null)[]
  /**
   * Per axis the value of every sample (NaN: missing), in the same order for all variants and axes, so that they are
   * resampled jointly; null where the axis is exact (a file size).
   */
  readonly samples?: readonly (Float64Array | null)[]
  /** Per axis without samples: what its figure is bounded by, where it is not exact (the cost of hardware that is paid by the hour). */
  readonly bounds?: readonly (FigureBounds | null)[]
  /** The same of the figures that constraints read, by name. */
  readonly figureBounds?: Readonly<Record<string, FigureBounds>>
  /** Figures that constraints read besides the axes, by name (`ttftMs.p95`). */
  readonly figures?: Readonly<Record<string, number | null>>
}
