import type { Answer } from "../src/core/generation.ts"
import type { ChatMessage } from "../src/core/message.ts"
import { type Unscored, unscored } from "../src/core/metric/metric.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import { isAnswered } from "../src/core/outcome.ts"
import type { GenerationParameters, Provider } from "../src/core/provider.ts"
import { answerCostUsd } from "../src/cost/cost-of-usage.ts"
import { repairMessages } from "./prompt.ts"

/** One question to a judge. */
export interface Question<Value> {
  readonly provider: Provider
  readonly messages: readonly ChatMessage[]
  readonly parameters: GenerationParameters
  /** Ledger that records its cost. */
  readonly purpose: string
  /** The form of the reply in words, for the repair request; null when the judge could not follow it (trained on one form). */
  readonly replyForm: string | null
  /** The value of the reply, or why it cannot be read. */
  read(answer: Answer): { readonly value: Value } | { readonly problem: string }
}

/** The outcome, and the time, tokens and cost it took. */
export interface Reply<Value> {
  /** Null: unscored, for the reason given. */
  readonly value: Value | null
  /** Why there is no value: `judge_unparseable`, `judge_failed`, `judge_refused`. */
  readonly failure: Unscored | null
  readonly calls: number
  readonly repaired: boolean
  readonly seconds: number
  readonly costUsd: number | null
}

/**
 * Asks a judge and reads its reply. A reply that cannot be read is followed by one repair request; after that there is no
 * verdict. Requests that fail are retried by the engine, not here. Nothing is ever turned into a score of 0.
 */
export async function ask<Value>(question: Question<Value>, tools: MetricTools): Promise<Reply<Value>> {
  const { provider, parameters, purpose } = question
  const call = (messages: readonly ChatMessage[]) => tools.models.call(provider, { messages, parameters }, purpose)
  // A reply that nobody can read is paid for, but not worth keeping: the next scoring asks again.
  const forget = (messages: readonly ChatMessage[]) =>
    tools.models.forget?.(provider, { messages, parameters }, purpose)
  const first = await call(question.messages)
  const spent = spending(first, provider)
  const read = isReadable(first) ? question.read(first) : { failure: failureOf(first) }
  if ("value" in read) return { value: read.value, failure: null, calls: 1, repaired: false, ...spent }
  if ("failure" in read) return { value: null, failure: read.failure, calls: 1, repaired: false, ...spent }
  if (question.replyForm === null) {
    forget(question.messages)
    return { value: null, failure: unparseable(read.problem), calls: 1, repaired: false, ...spent }
  }

  const repair = repairMessages(question.messages, first.text, read.problem, question.replyForm)
  const second = await call(repair)
  const more = spending(second, provider)
  const retry = isReadable(second) ? question.read(second) : { problem: failureOf(second).reason }
  if (!("value" in retry)) for (const messages of [question.messages, repair]) forget(messages)
  return {
    value: "value" in retry ? retry.value : null,
    failure: "value" in retry ? null : unparseable(retry.problem),
    calls: 2,
    repaired: true,
    seconds: spent.seconds + more.seconds,
    costUsd: spent.costUsd === null || more.costUsd === null ? null : spent.costUsd + more.costUsd,
  }
}

/** A reply with a text to read: also one that does not follow the schema, or was cut at its length limit. */
function isReadable({ outcome }: Answer): boolean {
  return isAnswered(outcome) || outcome === "malformed" || outcome === "empty"
}

function failureOf({ outcome, failure }: Answer): Unscored {
  if (outcome === "refused") return unscored("judge_refused")
  const words = (failure?.message ?? "").replace(/\s+/g, " ").trim().slice(0, maxWords)
  return unscored("judge_failed", words === "" ? outcome : `${outcome}: ${words}`)
}

/** Characters of a service's own words that an unscored row keeps. */
const maxWords = 200

function unparseable(problem: string): Unscored {
  return unscored("judge_unparseable", problem)
}

/** What the call took when it was made: a replayed answer keeps its log and its usage. */
function spending(answer: Answer, provider: Provider): { readonly seconds: number; readonly costUsd: number | null } {
  return {
    seconds: Math.max(0, answer.log.endMs - answer.log.sendMs) / 1000,
    costUsd: answerCostUsd(provider, answer),
  }
}

/** Why the first of the replies without a value has none. */
export function firstFailure(replies: readonly Reply<unknown>[]): Unscored {
  return replies.find(({ failure }) => failure !== null)?.failure ?? unscored("judge_failed")
}
