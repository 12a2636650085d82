/**
 * A number with how it was obtained, or why there is none. The only way in which a report holds a measured number.
 * @public
 */
export type Figure = KnownFigure | UnknownFigure

/** A measured number. @public */
export interface KnownFigure {
  readonly status: "known"
  readonly value: number
  /** Interval at the run's level (1 − alpha); absent where the figure is exact (a file size). `null` bound: not bounded by so small a sample. */
  readonly low?: number | null
  readonly high?: number | null
  /** Observations behind it. */
  readonly n: number
  /** How value and interval were made, for a footnote: `mean, Wilson 95 %`. */
  readonly method: string
  /** Whose measurement it is where it is not the client's own: the server stated it. */
  readonly by?: "server"
  /** A speed that was measured while log-probabilities were asked for, which a server of one's own computes for every token: without them it can be twice as fast. */
  readonly withLogprobs?: boolean
  /** evalkit's own timing error is over 5 % of it: good to know about how large it is, not to decide by. */
  readonly isApproximate?: boolean
  /** A warning: `n too small: p99 needs 459`. */
  readonly warning?: string
}

/** Not measured, and why. @public */
export interface UnknownFigure {
  readonly status: "unknown"
  readonly reason: string
}

/** Not measured, and why. @public */
export function unknown(reason: string): UnknownFigure {
  return { status: "unknown", reason }
}

/** The number of a figure, or null. @public */
export function figureValue(figure: Figure | undefined): number | null {
  return figure?.status === "known" ? figure.value : null
}
