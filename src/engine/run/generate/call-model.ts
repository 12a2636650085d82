import type { Clock } from "../../../core/clock.ts"
import { type Answer, type Attempt, attemptOf } from "../../../core/generation.ts"
import { isAnswered } from "../../../core/outcome.ts"
import type { ModelRequest, ProviderSession, Timeouts } from "../../../core/provider.ts"
import type { Random } from "../../../core/random.ts"
import type { RetryPolicy } from "../../../core/run/evaluation.ts"
import type { Sample } from "../../../core/sample.ts"
import type { AdaptiveLimit } from "./adaptive-limit.ts"
import type { CircuitBreaker } from "./circuit-breaker.ts"
import { failWhenNothingBegan } from "./length-empty.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import type { RefusalWatch } from "./refusals.ts"
import { requestSafely } from "./request-safely.ts"
import { isOutage, isOverload, retryDelayMs } from "./retry.ts"

/** What guards one endpoint: shared by all calls to it. */
export interface EndpointGuards {
  readonly limit: AdaptiveLimit
  readonly rate: RateLimiter
  readonly breaker: CircuitBreaker
  readonly refusals: RefusalWatch
}

/** One call and what it needs. */
export interface ModelCall {
  readonly session: ProviderSession
  readonly request: ModelRequest
  readonly guards: EndpointGuards
  readonly retry: RetryPolicy
  readonly timeouts: Timeouts
  readonly clock: Clock
  readonly random: Random
  /** Stops waiting and retrying; a request in flight goes on. */
  readonly signal: AbortSignal
  /** Cuts the request itself. */
  readonly requestSignal: AbortSignal
  /** Clock reading that the log's stamps are relative to. */
  readonly originMs: number
  /** Absent where the model is asked for something else than an answer to a sample. */
  readonly sample?: Sample
  readonly repeat?: number
  /** Tokens that the call will about use, for the rate limit. */
  readonly estimatedTokens: number
  onRetry(attempt: Attempt, delayMs: number): void
  /** Answers are read from a record: there is no service to spare or to ask again, and a failure stays what it was. */
  readonly isRecord?: boolean
  /** Whether another attempt may be sent: it is a request that costs, too. Default: yes. */
  mayRetry?(): boolean
}

/** The last attempt, and those that failed before it. */
export interface CallResult {
  readonly answer: Answer
  readonly retries: readonly Attempt[]
}

/**
 * Asks until there is an answer, the failure is final, or the retries are used up. Waits are never inside an attempt's log:
 * they lie between `scheduledMs`, which stays that of the first attempt, and `sendMs`.
 * @returns null when the endpoint was given up (outage, or nothing but refusals), or when the run was interrupted before there was a final answer
 */
export async function callModel(call: ModelCall): Promise<CallResult | null> {
  const { guards, clock, signal } = call
  const scheduledMs = clock.now()
  if (call.isRecord) return await readRecord(call, scheduledMs)
  const retries: Attempt[] = []
  const refusals: Attempt[] = []
  for (let attempt = 0; ; attempt++) {
    if (!(await mayStart(call))) return null
    const startedMs = clock.now()
    const answer = await requestOnce(call, scheduledMs)
    if (answer.outcome === "cancelled") return null
    if (isAnswered(answer.outcome)) guards.limit.succeeded()
    if (isOverload(answer.outcome)) guards.limit.overloaded(answer.outcome, startedMs)
    if (isOutage(answer.outcome)) guards.breaker.failed(answer.failure?.message)
    else guards.breaker.succeeded()
    guards.refusals.saw(answer)

    const { lost = [], refused = [], limits, ...kept } = answer
    if (limits) guards.rate.learn(limits)
    const { promptTokens, completionTokens } = answer.usage
    if (promptTokens !== null && completionTokens !== null)
      guards.rate.correct(promptTokens + completionTokens - call.estimatedTokens)
    refusals.push(...refused)
    for (const attempt of lost) {
      retries.push(attempt)
      call.onRetry(attempt, 0)
    }
    const delayMs = retryDelayMs(answer, attempt, call.retry, call.random)
    if (delayMs === null || call.mayRetry?.() === false)
      return { answer: refusals.length > 0 ? { ...kept, refused: refusals } : kept, retries }
    retries.push(attemptOf(answer))
    call.onRetry(retries.at(-1)!, delayMs)
    if (answer.outcome === "rate_limited") guards.rate.pause(delayMs)
    else if (!(await sleepUnlessAborted(clock, delayMs, signal))) return null
  }
}

async function readRecord(call: ModelCall, scheduledMs: number): Promise<CallResult | null> {
  if (call.signal.aborted) return null
  const { lost: _lost, refused: _refused, limits: _limits, ...answer } = await requestOnce(call, scheduledMs)
  return answer.outcome === "cancelled" ? null : { answer, retries: [] }
}

async function requestOnce(call: ModelCall, scheduledMs: number): Promise<Answer> {
  const given = await requestSafely(call.session, call.request, {
    signal: call.requestSignal,
    clock: call.clock,
    scheduledMs,
    timeouts: call.timeouts,
    originMs: call.originMs,
    ...(call.sample && { sample: call.sample, sampleId: call.sample.id, repeat: call.repeat ?? 0 }),
  })
  return failWhenNothingBegan(given, call.request.parameters.maxTokens)
}

async function mayStart(call: ModelCall): Promise<boolean> {
  try {
    if (call.guards.refusals.reason() !== null) return false
    if (!(await call.guards.breaker.enter(call.signal))) return false
    await call.guards.rate.take(call.estimatedTokens, call.signal)
    return !call.signal.aborted
  } catch (error) {
    if (call.signal.aborted) return false
    throw error
  }
}

async function sleepUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal)
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}
