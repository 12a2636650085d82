import type { ClientLoad } from "../../core/client-load.ts"
import type { Price } from "../../core/cost.ts"
import type { Answer } from "../../core/generation.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Figure } from "../../core/report/figure.ts"
import type { ContextUse, CostFigures, Distribution, SpeedFigures, VariantReport } from "../../core/report/report.ts"
import type { AnswerLengths } from "../answer-lengths.ts"
import type { DoubtfulFigure } from "../client/client-error-check.ts"
import type { ClientError } from "../client/self-calibration.ts"
import type { DriftCheck } from "../drift.ts"
import type { FailureCount } from "../failure-line.ts"
import type { LoadPlan } from "../load/load-plan.ts"
import type { PromptCacheSplit } from "../prompt-cache.ts"
import type { ServerWindow } from "../server/server-window.ts"
import type { ToolColumn } from "../tool-columns.ts"
import type { Attainment } from "./attainment.ts"
import type { LoadWorker } from "./load-worker.ts"

/** One variant at one level of load. @experimental */
export interface BenchLevel extends LevelFigures {
  readonly variant: string
  readonly price: Price | null
  readonly plan: LoadPlan
  /** Requests a second that the plan wanted; null in a closed loop. */
  readonly offeredRate: number | null
  readonly peakInFlight: number
  readonly durationMs: number
  readonly clientError: ClientError | null
  readonly clientLoad: ClientLoad
  /** How requests were captured; null when the session does not say. */
  readonly transport: string | null
  /** Figures that the client's own error is too large for: they are void, the others stand. */
  readonly doubtful: readonly DoubtfulFigure[]
  /** The workers that shared the load, each with its part and its schedule; absent where one process sent all of it. */
  readonly workers?: readonly LoadWorker[]
  /** What the server's `/metrics` say of this load; null where it has none that can be read. */
  readonly serverWindow: ServerWindow | null
  /** Whether its prompts were made to be found in the prompt cache or not; absent: neither. */
  readonly askedCache?: AskedCache
  /** What a reader must know of how it was asked and answered: lengths that were not kept, log-probabilities that slow a server. */
  readonly remarks: readonly string[]
}

/** What prompts are made for: `hit` to be found in a prompt cache, `miss` not to be. @experimental */
export type PromptCacheUse = "hit" | "miss"

/** What a level's prompts were made for. @experimental */
export interface AskedCache {
  readonly use: PromptCacheUse
  /** The endpoint that was asked: what levels of hits and of misses are put together by. */
  readonly of: string
}

/** Everything that was measured of one variant at one level of load. @experimental */
export interface LevelFigures {
  readonly requests: number
  /** Requests that were sent again because the server had closed their connection; absent: none. */
  readonly resent?: number
  readonly answered: number
  readonly outcomes: VariantReport["outcomes"]
  readonly speed: SpeedFigures
  readonly availability: Figure
  /**
   * Requests that were answered and met every SLO, counted from when they were due / requests that were started; unknown without an
   * SLO. Its interval knows that requests which follow each other wait together.
   */
  readonly sloAttainment: Figure
  /** Requests per second that were answered and met every SLO, at the level's throughput. */
  readonly goodput: Figure
  /** How the level kept its SLO over time, once the load had settled; null without an SLO, or for too few requests. */
  readonly attainment: Attainment | null
  /** Those of them whose quality score passed too; unknown without a metric. */
  readonly correctSloAttainment: Figure
  /** The primary metric over the scored answers, in its own unit. */
  readonly quality: Figure
  /** Every metric over this level's answers: the same ones at every load. */
  readonly metrics: readonly LevelMetric[]
  readonly cost: CostFigures
  /** What judging the answers used; none of it is in `cost` or `tokens`, but for `cost.judgeUsd`. */
  readonly judges: JudgeUse
  readonly tokens: VariantReport["tokens"]
  readonly promptCacheHitRate: Figure
  /** Answers whose prompts came from the prompt cache, and the others. */
  readonly promptCache: PromptCacheSplit
  readonly lengths: AnswerLengths
  readonly contextUse: ContextUse
  /** Starts per second, as they were; compare with what the plan offered. */
  readonly achievedRate: Figure
  /** How late requests started, in milliseconds. */
  readonly lagMs: Distribution
  /** From when a request was due, tScheduled, to the last token: what its caller waited, a wait for a free slot included. Milliseconds. */
  readonly e2eFromIntentMs: Distribution
  readonly tools: readonly ToolColumn[]
  /** Median time between two chunks of a stream. */
  readonly chunkGapMs: Figure
  /** Median tokens that arrived together, and median time between two arrivals: a server that holds tokens back sends many at once. */
  readonly readTokens: Figure
  readonly readGapMs: Figure
  readonly drift: DriftCheck
  /** The first message of each class of failure, in the order in which they came. */
  readonly failureExamples: ReadonlyMap<Answer["outcome"], string>
  /** Which failures came when. */
  readonly failures: readonly FailureCount[]
}

/** A metric over the answers of one level of load. @experimental */
export interface LevelMetric {
  readonly name: string
  readonly direction: AnyMetric["direction"]
  readonly figure: Figure
  readonly scored: number
  /** Answers that it could not score; they stay in the denominator of correct goodput. */
  readonly unscored: number
}

/** What judging the answers of one level used, apart from the service's own tokens and cost. @experimental */
export interface JudgeUse {
  readonly calls: number
  /** Replies that came from the cache. */
  readonly replayed: number
  readonly promptTokens: Figure
  readonly completionTokens: Figure
  readonly usd: Figure
}

/** Where a level is. @experimental */
export interface LevelProgress {
  readonly target: string
  readonly block: number
  readonly inFlight: number
  /** Requests of this block that ended, and those of them that were not answered. */
  readonly ended: number
  readonly failed: number
  /** Spent on this level's answers so far, in US dollars; null when a price is unknown or runs with time. */
  readonly costUsd: number | null
  /** Of the level's answers (`ended`), those whose quality was looked at; absent while the load runs. */
  readonly scored?: number
}
