import type { Answer } from "../../core/generation.ts"
import type { ResourceUsage } from "../../core/provider.ts"
import type { Figure } from "../../core/report/figure.ts"
import type { Attainment } from "./attainment.ts"
import type { BenchLevel } from "./bench-level.ts"
import type { Capacity } from "./capacity.ts"
import type { Choice } from "./choice.ts"
import type { Saturation } from "./saturation.ts"
import type { Slo } from "./slo.ts"

/** Everything that a bench found. */
export interface BenchResult {
  readonly levels: readonly BenchLevel[]
  /** By variant; empty without a warm-up. */
  readonly coldStarts: ReadonlyMap<string, ColdStart>
  /** By variant, of a sweep. */
  readonly saturation: ReadonlyMap<string, Saturation>
  /** By variant, of a search. */
  readonly searches: ReadonlyMap<string, RateSearch>
  /** What each variant's serving process used, by variant. */
  readonly resources: ReadonlyMap<string, ResourceUsage>
  /** Why the servers of variants did not start, by variant; absent: all did. */
  readonly failedStarts?: ReadonlyMap<string, string>
  /** The largest load within the objectives, by variant; those of which none is known are left out. */
  readonly capacities: ReadonlyMap<string, Capacity>
  /** Of a search over settings: which to take; absent otherwise. */
  readonly choice?: Choice
  /** Where the lines of two variants meet at the same load. */
  readonly crossovers: readonly Crossover[]
  /** Where hardware becomes cheaper than an API that was measured beside it. */
  readonly breakEvens: readonly BreakEven[]
  /** Traffic that is billed; null: none was stated. */
  readonly queriesPerMonth: number | null
  /** What that traffic costs in a month at each level's prices and throughput, in the order of `levels`; null without it. */
  readonly monthlyUsd: readonly Figure[] | null
  /** Objectives of a good request. */
  readonly slo: readonly Slo[]
  /** Share of requests that must be answered. */
  readonly availabilityTarget: number
  readonly interrupted: boolean
  /** Why the budget ended it; null when it did not. */
  readonly budgetSpent: string | null
}

/** The first request on a fresh server and connection, measured apart. */
export interface ColdStart {
  readonly outcome: Answer["outcome"]
  /** DNS, TCP and TLS; null when the transport cannot say. */
  readonly connectMs: number | null
  readonly ttftMs: number | null
  readonly e2eMs: number | null
  readonly failure: string | null
}

/** One rate that was tried. @experimental */
export interface RateTrial {
  /** Requests a second that the plan asked for. */
  readonly askedRate: number
  /** Requests a second that were started. */
  readonly achievedRate: number
  /** Null when the level was too short to say. */
  readonly attainment: Attainment | null
}

/** What a search found. @experimental */
export interface RateSearch {
  /** Highest rate that keeps the objectives, as it was achieved; null when none did. */
  readonly rate: number | null
  /** Interval of the rate at 95 %; null at the side that the search never saw. */
  readonly low: number | null
  readonly high: number | null
  /** Lowest rate that was seen to break the objectives; null when none did. */
  readonly lowestBroken: number | null
  /** It ended at its first rate, which another setting carries. */
  readonly isBeaten?: boolean
  /** `meetsSlo` is null for a level of too few requests. */
  readonly trials: readonly (RateTrial & { readonly meetsSlo: boolean | null })[]
}

/** Where the lines of two variants meet at the same load. */
export interface Crossover {
  /** The variant that is faster up to `tokens`. */
  readonly early: string
  readonly late: string
  readonly load: Pick<BenchLevel, "plan" | "offeredRate">
  readonly tokens: number
  readonly atMs: number
}

/** Volume from which hardware is cheaper than an API. */
export interface BreakEven {
  /** The level that was measured on hardware. */
  readonly machine: BenchLevel
  readonly api: BenchLevel
  /** Queries a month from which the hardware is cheaper; unknown with the reason. */
  readonly queriesPerMonth: Figure
}
