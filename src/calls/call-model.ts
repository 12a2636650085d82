import type { Clock } from "../core/clock.ts"
import { type Answer, type Attempt, attemptOf } from "../core/generation.ts"
import { isAnswered } from "../core/outcome.ts"
import type { ModelRequest, ProviderSession, Timeouts } from "../core/provider.ts"
import type { Random } from "../core/random.ts"
import type { RequestLog } from "../core/request-log.ts"
import type { RetryPolicy } from "../core/run/evaluation.ts"
import type { Sample } from "../core/sample.ts"
import { withoutThinking } from "../text/reading/without-thinking.ts"
import type { AdaptiveLimit } from "./adaptive-limit.ts"
import type { CircuitBreaker } from "./circuit-breaker.ts"
import { failWhenNothingBegan } from "./length-empty.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import type { RefusalWatch } from "./refusals.ts"
import { requestSafely } from "./request-safely.ts"
import { isLoading, isOutage, isOverload, retryDelayMs } from "./retry.ts"

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
  /** Whether another attempt may be sent after one that failed: it is a request that costs, too. Default: yes. */
  mayRetry?(failed: Answer): boolean | Promise<boolean>
  /** Whether an attempt may still be sent, asked at the moment of sending: another may have taken the question over. Default: yes. */
  maySend?(): boolean
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
    const waits = await waitToStart(call)
    if (waits === null) return null
    const startedMs = clock.now()
    const answer = withWaits(await requestOnce(call, scheduledMs), waits)
    if (answer.outcome === "cancelled") return null
    if (isAnswered(answer.outcome)) guards.limit.succeeded()
    if (isOverload(answer.outcome)) guards.limit.overloaded(answer.outcome, startedMs)
    if (isOutage(answer.outcome) && !isLoading(answer)) guards.breaker.failed(answer.failure?.message)
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
    if (delayMs === null || (await call.mayRetry?.(answer)) === false)
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
  const answer = await requestSafely(call.session, call.request, {
    signal: call.requestSignal,
    clock: call.clock,
    scheduledMs,
    timeouts: call.timeouts,
    originMs: call.originMs,
    ...(call.sample && { sample: call.sample, sampleId: call.sample.id, repeat: call.repeat ?? 0 }),
  })
  return failWhenNothingBegan(withoutThinking(answer), call.request.parameters.maxTokens)
}

/** What an attempt waited for before it was sent. */
type StartWaits = Pick<RequestLog, "outageWaitMs" | "rateLimitWaitMs">

/** @returns null where the call may not be made */
async function waitToStart({ guards, clock, estimatedTokens, signal, maySend }: ModelCall): Promise<StartWaits | null> {
  try {
    if (guards.refusals.reason() !== null) return null
    const beganMs = clock.now()
    const wasOpen = guards.breaker.state === "open"
    if (!(await guards.breaker.enter(signal))) return null
    const outageWaitMs = wasOpen ? clock.now() - beganMs : 0
    const rateLimitWaitMs = await guards.rate.take(estimatedTokens, signal)
    if (signal.aborted || maySend?.() === false) return null
    return { ...(outageWaitMs > 0 && { outageWaitMs }), ...(rateLimitWaitMs > 0 && { rateLimitWaitMs }) }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** The waits stand in the log of the first request that was sent after them. */
function withWaits(answer: Answer, waits: StartWaits): Answer {
  if (Object.keys(waits).length === 0) return answer
  const [first, ...later] = answer.lost ?? []
  if (first) return { ...answer, lost: [{ ...first, log: { ...first.log, ...waits } }, ...later] }
  return { ...answer, log: { ...answer.log, ...waits } }
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
