import type { Outcome } from "../outcome.ts"

/** How far one variant is. @experimental */
export interface VariantProgress {
  readonly name: string
  /** Answers that the plan wants, and those that are on disk. */
  readonly planned: number
  readonly finished: number
  /** Requests on their way, and how many may be. */
  readonly inFlight: number
  readonly limit: number
  /** Answers per second over the last seconds; null until it is known. */
  readonly requestsPerSecond: number | null
  readonly tokensPerSecond: number | null
  /** Time left, in milliseconds, at the rate of all that take turns with it; null until it is known. */
  readonly remainingMs: number | null
  /**
   * Spent so far, in US dollars: hardware that is paid by the hour for the time that answers took of it, before it is shared out by tokens.
   * Null when a price is unknown, or when others ask and only the sum is counted.
   */
  readonly costUsd: number | null
  readonly retries: number
  /** Finished without an answer, by class. */
  readonly failures: Readonly<Partial<Record<Outcome, number>>>
  /** What it waits for: `429, waiting 12 s`; null when it does not wait. */
  readonly waiting: string | null
}

/** Where a run is: what live progress shows. Plain data, made anew for every look at it. @experimental */
export interface RunProgress {
  readonly name: string
  readonly runId: string
  readonly stage: "starting" | "generating" | "scoring" | "summarising" | "finished"
  readonly elapsedMs: number
  readonly variants: readonly VariantProgress[]
  /**
   * Spent so far by workers of other processes as the store counts it, in US dollars; null where it is not counted while they work. Absent
   * where this process asks: then its variants say it.
   */
  readonly spentUsd?: number | null
  /** Spending limit of the run in US dollars; null without one. */
  readonly budgetUsd: number | null
  /** Anything else that a reader should know now; null when there is nothing. */
  readonly note: string | null
}
