/** A point of a line; `low` and `high` draw its interval, `label` is drawn beside it. */
export interface CurvePoint {
  readonly x: number
  readonly y: number
  readonly low?: number | null
  readonly high?: number | null
  readonly label?: string
}

/** A line of a chart. Lines of the same `color` belong together. */
export interface Curve {
  readonly name: string
  readonly color: number
  readonly dashed?: boolean
  readonly points: readonly CurvePoint[]
}

/** Lines over one axis, with the objectives that they are compared with. */
export interface CurvesFigure {
  readonly title: string
  /** One sentence: how to read it. */
  readonly note: string
  /** Whether it takes two columns where there is room for them. */
  readonly wide?: boolean
  readonly xLabel: string
  readonly yLabel: string
  readonly xScale?: "linear" | "doubling"
  readonly yScale?: "linear" | "logarithmic"
  readonly series: readonly Curve[]
  /** Objectives. */
  readonly horizontals?: readonly { readonly y: number; readonly label: string }[]
  /** Where something happens. */
  readonly verticals?: readonly { readonly x: number; readonly label: string }[]
  /** What lies between two lines, such as how fast people read. */
  readonly band?: {
    readonly label: string
    readonly points: readonly (readonly [x: number, low: number, high: number])[]
  }
  /** Largest value of the axis; absent: the largest value drawn. */
  readonly yMax?: number
}
