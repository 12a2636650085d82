import type { Verdict } from "../../src/core/report/comparison.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { Unit } from "../../src/words/quantity.ts"

/** What a list shows of a run's record, which does not change. */
export interface RunFacts {
  readonly id: string
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly dataset: string
  /** Samples of its data set. */
  readonly samples: number
  /** Samples that it was started to ask: fewer in a shard. */
  readonly asked: number
  /** Answers of all variants that the plan wants. */
  readonly planned: number
  readonly variants: readonly string[]
  /** Whether a judge is among its metrics: its answers can be labelled. */
  readonly isJudged: boolean
  /** A load test: it has no samples, answers or verdict. */
  readonly isBench: boolean
}

/** What a list shows of a run's report. */
export interface RunDigest {
  readonly verdict: Verdict | null
  /** False where the run as a whole has no answer, whatever its verdict says: its page says so in the verdict's place. */
  readonly hasAnswer: boolean
  /** Why the run as a whole failed; null where it did not. */
  readonly failure: string | null
  /** The variants whose figures are shown: the baseline, then the one that the verdict is about. */
  readonly shown: readonly string[]
  readonly columns: readonly {
    readonly id: string
    readonly title: string
    readonly unit: Unit
    readonly goal: "maximize" | "minimize"
  }[]
  /** By variant, in the order of the columns. */
  readonly figures: Readonly<Record<string, readonly Figure[]>>
}

/** Where a run stands, in a word that a filter can name. */
export type RunState = "running" | "done" | "stopped" | "incomplete" | "failed"

/** A run of the list. */
export interface ListedRun {
  readonly facts: RunFacts
  readonly state: RunState
  /** The state in words: `running, 43 %`. */
  readonly stateWords: string
  /** Answers on disk of a run under way; null for others. */
  readonly finished: number | null
  /** Its start as a clock shows it, with the zone. */
  readonly started: string
  readonly tags: readonly string[]
  readonly lastNote: string | null
  readonly digest: RunDigest | null
  /** Of a load test what it found first; null of a run, and where it found nothing. */
  readonly headline: string | null
  /** The same of the run before of the same name. */
  readonly before: RunDigest | null
}

/** What somebody wants to see of the list. */
export interface RunFilter {
  /** Words that all must occur. */
  readonly search: string
  readonly tags: readonly string[]
  readonly state: string
  /** From 1. */
  readonly page: number
}

/** One page of the list. */
export interface RunList {
  readonly runs: readonly ListedRun[]
  readonly filter: RunFilter
  /** Runs that the filter leaves, and all there are. */
  readonly found: number
  readonly total: number
  readonly pages: number
  /** Tags in use with the number of their runs, the most used first; then those that the filter names beside them, used or not. */
  readonly tags: readonly (readonly [tag: string, runs: number])[]
  readonly isAnyRunning: boolean
}
