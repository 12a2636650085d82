import type { Price } from "../cost.ts"
import type { JsonValue } from "../json.ts"
import type { UnscoredCode } from "../metric/unscored-code.ts"
import type { Outcome } from "../outcome.ts"
import type { ParameterDifference } from "../parameter-difference.ts"
import type { MetricRecord, RunRecord } from "../run/run-record.ts"
import type { Comparison } from "./comparison.ts"
import type { ConstantAnswer } from "./constant-answer.ts"
import type { Decision, GateResult } from "./decision.ts"
import type { Figure } from "./figure.ts"
import type { Frontier, RouterCurve } from "./frontier.ts"
import type { PlanFinding } from "./frozen-plan.ts"
import type { LimitFinding } from "./limit.ts"
import type { ReportSample } from "./report-sample.ts"
import type { ReportSection } from "./report-sections.ts"
import type { ServerPhases } from "./server-phases.ts"

/** A distribution over requests. @public */
export interface Distribution {
  readonly mean: Figure
  readonly p50: Figure
  readonly p90: Figure
  readonly p95: Figure
  readonly p99: Figure
  /** 101 values: percentiles 0..100, for ECDF curves. Empty when nothing was measured. */
  readonly percentiles: readonly number[]
}

/** A metric over one variant. @public */
export interface QualityFigure {
  readonly metric: string
  /** Of what was asked: an answer that failed counts as the worst value that the metric can have. */
  readonly figure: Figure
  /** Of what was answered; absent where nothing failed, or failures do not count. */
  readonly answered?: Figure
  /** Answers that failed for good; absent: none. */
  readonly failed?: number
  readonly scored: number
  readonly total: number
  /** Count by reason. */
  readonly unscored: Readonly<Record<string, number>>
  /** Count by code, for programs. */
  readonly unscoredCodes: Readonly<Partial<Record<UnscoredCode, number>>>
  readonly details: JsonValue
  /** By group, when samples have groups. */
  readonly groups: Readonly<Record<string, Figure>>
  /** The variant beside the best constant answer, by metrics that decide; absent where there is none. */
  readonly constantAnswer?: ConstantAnswer
}

/** Speed of one variant, measured requests only. @public */
export interface SpeedFigures {
  readonly measured: number
  readonly replayed: number
  /** How far evalkit's own stamps were off at this load, median in milliseconds; absent: not measured. */
  readonly clientErrorMs?: number
  /** Answers that came by batch, or that only tried the endpoint before one: they have no latency that counts; absent: none. */
  readonly untimed?: number
  /** Answers whose latency counts nowhere, because evalkit itself stood still meanwhile; absent: none. */
  readonly stalled?: number
  /** Answers whose latency counts nowhere, because the service may have been cold; absent: none. */
  readonly cold?: number
  /** Such answers that count all the same, because there are no others; absent: none. */
  readonly coldCounted?: number
  /** Output tokens of the longest answer that was measured; absent: its tokens were not counted. */
  readonly longestTokens?: number
  /**
   * What a caller waited for the first token that a reader sees (thinking is none), with failed attempts and the waits after them, without
   * the waits that the account's own rate limits imposed.
   */
  readonly ttftMs: Distribution
  /** Time to first token from the moment at which the request was wanted: what it waited before it was sent is included. */
  readonly ttftFromIntentMs: Distribution
  /** Time to the first token of any kind, thinking included; absent where no thinking was streamed before the answer. */
  readonly ttftAnyMs?: Distribution
  /** What a caller waited for the end of the answer, as `ttftMs` does. */
  readonly e2eMs: Distribution
  /** Time to first token of the attempt alone that brought the answer; absent where no other attempt went before one. */
  readonly attemptTtftMs?: Distribution
  /** Time to the end of the answer of the attempt alone that brought it. */
  readonly attemptE2eMs?: Distribution
  /** The longest time inside each answer in which nothing came; absent where no answer came in several chunks. */
  readonly longestStopMs?: Distribution
  /** Share of the answers in several chunks that stopped for more than 200 ms once. */
  readonly stopShare?: Figure
  /** Decode speed in the second half of an answer's tokens as a share of the first half's, median; absent where no answer is long enough. */
  readonly lateSpeedRatio?: Figure
  /** Waits that the account's own rate limits imposed: 429s, the pauses after them, limits of the config; absent: none. */
  readonly rateLimitWaitMs?: Distribution
  /** Time for each token after the first: (end to end − time to first token) / (tokens − 1). */
  readonly tpotMs: Distribution
  /** Time between two tokens that follow each other. */
  readonly itlMs: Distribution
  /** Waits on this machine, for a free place or a rate limit, before a request was sent; in no time that counts from the sending. */
  readonly queueWaitMs: Distribution
  /**
   * Decode speed of one request, tokens per second: by the client's stamps, or by the server's own timings (`by: "server"` in each
   * figure) where more answers have those, because most came in one burst.
   */
  readonly outputTokensPerSecond: Distribution
  /** Milliseconds by stage, where the answers come from an application that timed its stages. */
  readonly stages?: Readonly<Record<string, Distribution>>
  /** The server's own view; absent where no answer came with its timings. */
  readonly server?: ServerPhases
  /** Output tokens a second of all requests together, over the window. */
  readonly systemTokensPerSecond: Figure
  /** Requests that ended in a second, all together. */
  readonly requestsPerSecond: Figure
  /** Starts, ends, tokens and failures per second of the run, for the chart over time. */
  readonly overTime: readonly {
    readonly second: number
    readonly started: number
    readonly ended: number
    readonly tokens: number
    readonly failed: number
  }[]
}

/**
 * How reliably a service answered. A request is one answer that was asked for, however many attempts it took; what the account's own
 * rate limit refused (429) is no failure of the service, and what came from the cache, a file or a batch was no request.
 * @public
 */
export interface ReliabilityFigures {
  readonly requests: number
  /** Requests that ended with an answer of the model, a refusal or an empty one among them. */
  readonly answered: number
  /** Requests that failed for good. */
  readonly failed: number
  /** Requests sent, without those that a rate limit refused. */
  readonly attempts: number
  readonly failedAttempts: number
  /** Attempts that a rate limit refused. */
  readonly rateLimited: number
  /** Failed attempts by how they ended, the most frequent first. */
  readonly failuresByClass: Readonly<Partial<Record<Outcome, number>>>
  /** Share of attempts that failed. */
  readonly attemptFailures: Figure
  /** Longest time from a failure to the next answer, over all that ran beside it, in milliseconds; unknown where nothing failed. */
  readonly longestOutageMs: Figure
  /** Mean time from a failure to the next answer, in milliseconds; unknown where nothing failed. */
  readonly recoveryMs: Figure
}

/** Cost of one variant. @public */
export interface CostFigures {
  /** US dollars of all answers of the run, failed and retried attempts included, judges not. */
  readonly totalUsd: Figure
  /** US dollars of one request, failed ones included: the mean. */
  readonly perQueryUsd: Figure
  /** US dollars of 1,000 requests, failed ones included. */
  readonly perThousandUsd: Figure
  /** US dollars of a correct answer: the total over the answers that are right. */
  readonly perCorrectUsd: Figure
  /** US dollars spent on failed and retried attempts; inside the total. */
  readonly failedUsd: Figure
  /** US dollars spent on judges, apart. */
  readonly judgeUsd: Figure
  readonly priceSource: string | null
  /** Dollars by what they were paid for, adding up to the total: `input`, `cachedInput`, `output`, `failedAttempts`, `hardware`. */
  readonly parts?: Readonly<Record<string, number>>
  /** The price that the figures were computed from, for bills at another volume. */
  readonly price?: Price
}

/**
 * What a variant wrote, and how fast and dear that was, in o200k tokens (the tokenizer of gpt-4o) and in characters beside the tokens
 * that its provider counts: a tokenizer that cuts text finely is no fast model. Answers of use only (`ok`, `length`); all that the
 * endpoint showed: reasoning, text, arguments of tool calls.
 * @public
 */
export interface TextFigures {
  /** The provider's own tokens of an answer, hidden reasoning included. Mean. */
  readonly tokensPerAnswer: Figure
  /** Tokens of an answer by the tokenizer of gpt-4o. Mean. */
  readonly o200kPerAnswer: Figure
  /** Unicode code points of an answer. Mean. */
  readonly charactersPerAnswer: Figure
  /** o200k tokens a second after the first read, as the decode speed in the provider's own tokens is; median over answers. */
  readonly o200kPerSecond: Figure
  /** Characters a second after the first read, median over answers. */
  readonly charactersPerSecond: Figure
  /** US dollars of an answer: the whole cost, failures included, over the answers. */
  readonly usdPerAnswer: Figure
  /** US dollars per million o200k tokens that were written, failures included. */
  readonly usdPerMillionO200k: Figure
  /** US dollars per million characters that were written, failures included. */
  readonly usdPerMillionCharacters: Figure
}

/** How much of the model's context window the requests of a run used. @public */
export interface ContextUse {
  /** Tokens that the window holds. */
  readonly window: Figure
  /** (prompt + output tokens) / window of each request, 0..1. */
  readonly share: Distribution
  /** Answers that ended at their limit with the window full: cut off by it, not by `max_tokens`. */
  readonly cutOff: number
  /** Requests that used more than 90 % of the window. */
  readonly nearlyFull: number
  /** Answers that ended at a token limit (outcome `length`), `cutOff` among them. */
  readonly atLimit: number
  /** Requests that the endpoint refused because they would not fit into the window. */
  readonly refused: number
  /** What a reader must know: answers that were cut off, or a window that is nearly full. Empty when there is room. */
  readonly warnings: readonly string[]
}

/** Tokens of a variant, as its provider counts them: totals over all answers. @public */
export interface TokenFigures {
  /** Tokens that were sent to the model. */
  readonly prompt: Figure
  /** Tokens that it wrote, reasoning included. */
  readonly completion: Figure
  /** Prompt tokens that the service's cache served. */
  readonly cachedPrompt: Figure
  /** Tokens that it wrote before its answers, shown or not. */
  readonly reasoning: Figure
  /**
   * Tokens of classes with a rate of their own, by the part of the cost that they are billed as: `cacheWrite5m`, `cacheWrite1h`,
   * `audioInput`, `imageInput` …; inside the counts above. Absent where none was used.
   */
  readonly others?: Readonly<Record<string, Figure>>
}

/** What the processes that served a variant took of their machine, as far as evalkit saw them. @public */
export interface ResourceFigures {
  /** Bytes of the model's weights. */
  readonly modelBytes: Figure
  /** Most resident memory of the serving processes together, in bytes. */
  readonly peakRssBytes: Figure
  /** Most resident memory of the serving processes less what they took before the first request, in bytes. */
  readonly rssOverIdleBytes: Figure
  /** From the start of the server's process until it was ready, in milliseconds. */
  readonly loadMs: Figure
  /** Seconds of processor time. */
  readonly cpuSeconds: Figure
  /** Joules while the server had requests, GPU and processors together. */
  readonly energyJoules: Figure
  /** Energy of one answer, without load and idle time, in joules. */
  readonly joulesPerAnswer: Figure
  /** Energy of one output token, in joules. */
  readonly joulesPerToken: Figure
  /** Energy of all answers over the correct ones, in joules. */
  readonly joulesPerCorrect: Figure
  /** Electricity of one answer in US dollars, by the price of a kilowatt-hour that the config states. */
  readonly electricityUsdPerAnswer: Figure
  /** Electricity of all answers over the correct ones, in US dollars. */
  readonly electricityUsdPerCorrect: Figure
  /** Grams of CO2 equivalent of one answer, by the factor that the config states. */
  readonly gramsCo2PerAnswer: Figure
  /** Grams of CO2 equivalent of all answers over the correct ones. */
  readonly gramsCo2PerCorrect: Figure
  /** Mean power while the server had requests, in watts. */
  readonly meanWatts: Figure
  /** Most memory that the serving processes held on GPUs, in bytes. */
  readonly gpuMemoryBytes: Figure
}

/** One row of the report. @public */
export interface VariantReport {
  readonly name: string
  readonly model: string
  readonly provider: string
  readonly quantization: string | null
  readonly baseline: boolean
  readonly fingerprint: string
  readonly planned: number
  readonly finished: number
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
  readonly retries: number
  /**
   * Share of requests that were answered, within the run's `timeLimitMs` where it has one: an answer that came too late is not
   * available.
   */
  readonly availability: Figure
  /** Absent where no model was called. */
  readonly reliability?: ReliabilityFigures
  readonly quality: readonly QualityFigure[]
  readonly speed: SpeedFigures
  readonly cost: CostFigures
  readonly tokens: TokenFigures
  readonly text: TextFigures
  readonly contextUse: ContextUse
  readonly resources: ResourceFigures
  /** What was found of each limit of the run, in the order in which they are written; absent: no limits. */
  readonly limits?: readonly LimitFinding[]
  /** Parameters that calls were made without, because the endpoint refuses them; absent: none. */
  readonly differences?: readonly VariantDifference[]
  /** Answers by who gave them, where the provider asks several; absent: one provider. */
  readonly answeredBy?: Readonly<Record<string, number>>
  /** Requests that were refused for such a parameter and sent again: neither answers nor failed attempts; absent: none. */
  readonly refusedRequests?: number
  /** Answers that a secret of the process stood in, which was taken out before they were scored; absent: none. */
  readonly redactedAnswers?: number
  /** What the endpoint was found to lack. */
  readonly notes: readonly string[]
  /** Its most frequent failures, each in the words of its first occasion; absent: none. */
  readonly failures?: readonly VariantFailure[]
  /** What went wrong with the variant as a whole (its server did not start). */
  readonly failure: string | null
}

/** Requests of a variant that failed alike. @public */
export interface VariantFailure {
  readonly outcome: Outcome
  /** What the service, or evalkit, said the first time: up to 400 characters, redacted. */
  readonly message: string
  readonly count: number
}

/** A parameter that a variant's calls were made without. @public */
export interface VariantDifference extends ParameterDifference {
  /** Answers that came without it. */
  readonly answers: number
}

/** A check that the run made of itself. @public */
export interface Check {
  /** It speaks of what was compared, not of how well it was measured: shown with the verdict. Absent: no. */
  readonly besideVerdict?: boolean
  readonly name: string
  readonly status: "passed" | "failed" | "unknown"
  readonly message: string
}

/** What a report keeps of the run's record. @public */
export interface ReportedRun
  extends Pick<
    RunRecord,
    "id" | "name" | "startedAt" | "finishedAt" | "status" | "seed" | "repeats" | "versions" | "config"
  > {
  /** Milliseconds that the run took, all its processes together. */
  readonly durationMs: number
  /** Why it ended without all of its answers; absent where it has them. */
  readonly endedBecause?: string
  /** Error rate of the run's intervals of quality and of differences; absent where it is the usual 0.05. */
  readonly alpha?: number
}

/**
 * Everything that a report shows besides the samples: a pure function of a run. Its JSON schema is published.
 * @public
 */
export interface RunReport {
  readonly schema: "evalkit.report/1"
  /** The run's own facts, and how long it took. */
  readonly run: ReportedRun
  readonly dataset: RunRecord["dataset"]
  readonly metrics: readonly MetricRecord[]
  readonly variants: readonly VariantReport[]
  readonly comparisons: readonly Comparison[]
  readonly frontier: Frontier | null
  readonly routers: readonly RouterCurve[]
  readonly decision: Decision | null
  /** How it stands to the plan that was frozen for its config; absent: none was. */
  readonly plan?: PlanFinding
  readonly gate: readonly GateResult[]
  readonly checks: readonly Check[]
  readonly sections: readonly ReportSection[]
}

/** What every renderer receives. @public */
export interface ReportInput {
  readonly report: RunReport
  /**
   * A new pass over the samples in plan order.
   *
   * @param filter only those at these positions, counted from 0; all by default
   */
  samples(filter?: (position: number) => boolean): AsyncIterable<ReportSample>
  /** Bytes of a picture or a recording of a sample, by their hash; null where they are not kept. */
  media?(sha256: string): Uint8Array | null
}
