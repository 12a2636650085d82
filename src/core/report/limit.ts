import type { LimitState } from "./frontier.ts"

/** A limit of the config against one variant: what it says, and what was found. @public */
export type LimitFinding = {
  /** The limit as it was written: `p95 TTFT < 800 ms`. */
  readonly limit: string
  /** The figure that it is about: `ttftMs.p95`; in its base unit, as all that follows. */
  readonly figure: string
  /** The side on which the figure must stay. */
  readonly side: "below" | "above"
  readonly bound: number
  /** Whether the bound itself is allowed. */
  readonly inclusive: boolean
  /** What was found, in a few words: `time end to end (p95) is 30 ms, between 28 ms and 33 ms`; where it is unknown, why. */
  readonly found: string
} & (
  | {
      readonly state: LimitState
      readonly value: number
      /** Interval at the run's level; absent: the figure is exact; null: not bounded by so small a sample. */
      readonly low?: number | null
      readonly high?: number | null
    }
  | { readonly state: "unknown" }
)
