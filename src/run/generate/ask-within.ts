import { type CallResult, callModel } from "../../calls/call-model.ts"
import { startCall } from "../../calls/cold-start.ts"
import { estimateUse } from "../../calls/model-request.ts"
import type { GenerateObserver } from "../../calls/observer.ts"
import { createVariantUsage, type VariantUsage } from "../../calls/variant-usage.ts"
import type { Attempt, Generation } from "../../core/generation.ts"
import { withData } from "../../core/media/message-parts.ts"
import type { ModelRequest, ProviderSession } from "../../core/provider.ts"
import { createRandom } from "../../core/random.ts"
import { callId } from "../../core/run/call-id.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import type { Spending } from "../../cost/budget.ts"
import { type Estimate, type Reservation, reserveInTurn } from "../../cost/budget.ts"
import { spendingOf } from "../../cost/cost-of-usage.ts"
import { batchWords } from "../../words/run/batch.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"
import { answerUse, keepingJudging, noUse, unjudged } from "../set-aside.ts"

/** Where a call is made: what the calls of one phase share. */
export interface AskingPhase {
  readonly variant: Variant
  readonly session: ProviderSession
  readonly observer: GenerateObserver
  /** Whether what is not sent yet is another's by now. */
  isLost?(): boolean
  /** Calls of which attempts are on record that were paid for, but no answer; by their ids. */
  readonly attempted: Set<string>
  /** Sets aside what a call may use, or says that there is no room for it. Default: the run's budget does, once enough of what is in flight has ended. */
  reserve?(estimate: Estimate): Reservation | null
}

/** One question to the model. */
export interface Question {
  readonly call: PlannedCall
  readonly sample: Sample
  readonly request: ModelRequest
  /** Clock reading that the log's stamps are relative to. */
  readonly originMs: number
  /** Which of the model's answers to this call it is, where there are several. */
  readonly step?: number
}

/** What a question brought; its budget is open until it is settled. */
export interface Asked extends CallResult {
  /** Whether the answer met a service that may have been cold. */
  readonly isCold: boolean
  settle(used: Pick<Generation, "cost" | "usage">): void
}

/**
 * Asks the model within the limits of the run: its budget, rates, retries. Attempts of an earlier process count to this question.
 *
 * @returns null when nothing could be asked, or no answer came that could be kept (budget, outage, interruption)
 */
export async function askWithin(run: RunStage, phase: AskingPhase, question: Question): Promise<Asked | null> {
  const { control, evaluation, store, record } = run
  const { variant, observer } = phase
  const { call, request, sample, originMs, step = 0 } = question
  const own = ownUseOf(run, variant)
  const rendered = estimateUse(request, variant.price, variant.provider)
  const estimate = own?.expected(rendered) ?? rendered
  const isRecord = variant.provider.traits?.isRecord === true
  /** Notes why nothing more may start, where the run's budget has no room: not where it was interrupted meanwhile. */
  const noted = (reservation: Reservation | null): Reservation | null => {
    if (!reservation && !control.signal.aborted)
      control.unaffordable.set(variant.name, control.budget.refusal() ?? batchWords.noRoom)
    return reservation
  }
  const reserve = (amount: Estimate) => noted((phase.reserve ?? control.budget.reserve)(amount))
  // What is read from a record is paid for by nobody, but judged like all. A part of a conversation is not judged by itself.
  const answer = isRecord ? noUse : estimate
  const use = step > 0 ? unjudged(answer) : await answerUse(run, variant, sample, answer)
  const reserved = phase.reserve
    ? reserve(use.together)
    : noted(await reserveInTurn(control.budget, use.together, control.signal))
  if (!reserved) return null
  const reservation = keepingJudging(control.budget, reserved, use)
  const before = phase.attempted.has(callId(call))
    ? Array.from(store.attempts(record.id, call), ({ attempt }) => attempt)
    : []
  const attempts: Reservation[] = []
  const failed: Attempt[] = []
  const started = startCall(phase.session)
  const result = await callModel({
    session: phase.session,
    request: { ...request, messages: withData(request.messages, (sha256) => store.media(sha256)) },
    guards: control.variantGuards(variant),
    retry: evaluation.retry,
    timeouts: evaluation.timeouts,
    clock: control.clock,
    random: createRandom(`${evaluation.seed}/retry/${call.position}${step === 0 ? "" : `/${step}`}`),
    signal: control.signal,
    requestSignal: control.requestSignal,
    originMs,
    sample,
    repeat: call.repeat,
    estimatedTokens: estimate.tokens,
    isRecord,
    maySend: () => !phase.isLost?.(),
    onRetry(attempt, delayMs) {
      failed.push(attempt)
      store.saveAttempt(record.id, call, attempt)
      phase.attempted.add(callId(call))
      observer.retried(variant.name, attempt, delayMs)
    },
    mayRetry() {
      const another = reserve(estimate)
      if (another) attempts.push(another)
      return another !== null
    },
  })
  // The one that was to follow was never sent.
  if (!result) attempts.pop()?.release()
  for (const _refused of result?.answer.refused ?? []) control.budget.charge({ usd: 0, tokens: 0 })
  const spent = failed.map((attempt) => spendingOf(attempt, variant.price))
  const last = result ? attempts : [reserved, ...attempts]
  // A request that a closing connection swallowed was sent again without being asked for.
  for (const { cost, tokens } of spent.splice(0, Math.max(0, spent.length - last.length)))
    control.budget.charge({
      usd: cost.status === "known" ? cost.usd : (estimate.usd ?? 0),
      tokens: tokens ?? estimate.tokens,
    })
  for (const [i, entry] of last.entries()) spent[i] ? entry.settle(spent[i]) : entry.release()
  if (!result) return null
  return {
    answer: result.answer,
    retries: [...before, ...result.retries],
    isCold: started.answered(result.answer),
    settle(used) {
      own?.saw(used)
      reservation.settle(isRecord ? nothingUsed : spendingOf(result.answer, variant.price))
    },
  }
}

/** Of an answer that is read from a record. */
const nothingUsed: Spending = { cost: { status: "known", usd: 0, parts: {} }, tokens: 0, requests: 0 }

/** What an application's calls use; null where the rendered prompt is what is sent. Known from the answers of earlier processes, too. */
export function ownUseOf({ control, store, record }: RunStage, { name, provider }: Variant): VariantUsage | null {
  if (!provider.traits?.sendsItsOwn) return null
  const existing = control.variantUsage.get(name) ?? createVariantUsage(store.generations(record.id, name))
  control.variantUsage.set(name, existing)
  return existing
}
