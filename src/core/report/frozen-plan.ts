import type { RetryRecord, RunRecord } from "../run/run-record.ts"

/** One thing that two runs, or a plan and a run, do not have in common. @public */
export interface RunDifference {
  readonly about: "data" | "variant" | "metric" | "setting" | "version"
  /** Where it stands: `variants.m-q8_0.parameters.temperature`. */
  readonly path: string
  /** The variant or metric that it is of, by its name; null for all else. */
  readonly of: string | null
  /** What of it, from the outermost field to the innermost: `["parameters", "temperature"]`; empty: the whole of it. */
  readonly keys: readonly string[]
  /** Null: it is not there. */
  readonly before: string | null
  readonly after: string | null
}

/** What a run is recognised by. @public */
export type DecidingFacts = Pick<
  RunRecord,
  "name" | "seed" | "repeats" | "margin" | "marginKind" | "missing" | "smallestGain" | "alpha" | "baseline" | "config"
> & {
  readonly dataset: Omit<RunRecord["dataset"], "source" | "skipped"> & Partial<RunRecord["dataset"]>
  readonly variants: readonly { readonly name: string }[]
  readonly metrics: readonly { readonly name: string }[]
  readonly versions?: RunRecord["versions"]
}

/** A plan that was written down before a run: what decides, and when that was fixed. @public */
export interface FrozenPlan {
  readonly schema: "evalkit.plan/1"
  /** ISO 8601. */
  readonly frozenAt: string
  /** Name of the config file, which lies beside the plan. */
  readonly config: string
  readonly decides: DecidingFacts
  /** SHA-256 of the canonical JSON of all other fields, in hex. */
  readonly sha256: string
}

/** How a report stands to the plan that was frozen for its config. @public */
export interface PlanFinding extends Pick<FrozenPlan, "frozenAt" | "sha256"> {
  /** When the run's first call can have been made, ISO 8601: a plan that was frozen later decides nothing. */
  readonly startedAt: string
  /** What was changed after the plan was frozen; empty: nothing. */
  readonly differences: readonly RunDifference[]
  /** Of a retry: its changed prompts by their variants, the tries before it, and the error rate of the first. */
  readonly retry?: Pick<RetryRecord, "triesBefore" | "firstAlpha"> & { readonly variants: readonly string[] }
}
