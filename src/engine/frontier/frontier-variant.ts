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
  /** Figures that constraints read besides the axes, by name (`ttftMs.p95`). */
  readonly figures?: Readonly<Record<string, number | null>>
}
