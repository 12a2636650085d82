import { bareAnswer } from "../../../src/core/bare-answer.ts"
import type { BatchService } from "../../../src/core/batch/batch-service.ts"
import type { Answer } from "../../../src/core/generation.ts"
import type { ToolCall } from "../../../src/core/message.ts"
import type { Outcome } from "../../../src/core/outcome.ts"
import type { ModelRequest, Provider, RequestOptions } from "../../../src/core/provider.ts"
import type { Random } from "../../../src/core/random.ts"
import { unknownUsage } from "../../../src/core/usage.ts"
import { noResources } from "../fake-provider.ts"
import type { Actor, Scheduler } from "./scheduler.ts"

/** One request as the service has it in its books. */
export interface Booked {
  readonly model: string
  /** What was asked: the sample and repeat of a variant's question, the text of a judge's. */
  readonly question: string
  readonly repeat: number
  /** Turn of an episode, and which answer to it; absent where the question has one answer. */
  readonly step?: string
  readonly actor: Actor
  readonly sentMs: number
  /** When it had its answer; infinite where it never had. */
  endMs: number
  readonly outcome: Outcome
  readonly usd: number
  readonly tokens: number
  /** Whether whoever asked has it. */
  isDelivered: boolean
}

/** How often a service fails, and how. */
export interface Manners {
  readonly meanMs: number
  /** Shares of the requests. */
  readonly rateLimited: number
  readonly error: number
  readonly dropped: number
  readonly brokenOff: number
  readonly silent: number
}

export const price = {
  kind: "tokens",
  inputPerMillion: 1_000,
  outputPerMillion: 2_000,
  cachedInputPerMillion: null,
  batchDiscount: 0.5,
  source: "simulation",
  date: "2026-01-01",
} as const
/** Tokens of every prompt, and the most that an answer may have. */
export const promptTokens = 2
export const maxTokens = 20

/** A service with several models. It answers each question with the same text, and keeps books of every request. */
export interface SimulatedService {
  /** @param batches the service's batch interface; absent: it has none */
  provider(model: string, batches?: BatchService): Provider
  /** What becomes of a request that arrives now. */
  fate(): { readonly outcome: Outcome; readonly isBilled: boolean }
  readonly books: Booked[]
  /** Called as a request arrives. */
  onRequest: (booked: Booked) => void
  /** Called as whoever asked gets it. */
  onEnd: (booked: Booked) => void
  /** From here on it fails no more. */
  calm(): void
  isCalm(): boolean
  /** For so long it cannot be reached, in milliseconds. */
  fail(ms: number): void
}

/** Of so many answers one is wrong, by model. */
const wrongEvery: Readonly<Record<string, number>> = { b: 7, c: 2 }

/** What a model answers. A judge repeats what it was asked. */
export function answerOf(model: string, question: string): string {
  if (model === "judge") return question
  return Number(question.slice(1)) % (wrongEvery[model] ?? Number.NaN) === 0 ? "wrong" : `answer ${question}`
}

/** What a question asks for, and the answer to it. */
export interface Reply {
  readonly question: string
  readonly step?: string
  readonly text: string
  readonly toolCalls?: readonly ToolCall[]
}

/** What a model answers a request; the same for the same request. */
export type Script = (model: string, request: ModelRequest, sampleId: string | undefined) => Reply

const oneAnswer: Script = (model, request, sampleId) => {
  const question = sampleId ?? String(request.messages.at(-1)?.content)
  return { question, text: answerOf(model, question) }
}

export function createService(
  scheduler: Scheduler,
  random: Random,
  manners: Manners,
  script: Script = oneAnswer,
): SimulatedService {
  const books: Booked[] = []
  let isCalm = false
  let downUntilMs = 0
  const fate: SimulatedService["fate"] = () => {
    if (scheduler.now() < downUntilMs) return { outcome: "connection", isBilled: false }
    let rest = isCalm ? 1 : random.next()
    for (const [share, result] of [
      [manners.rateLimited, { outcome: "rate_limited", isBilled: false }],
      [manners.error, { outcome: "http_5xx", isBilled: false }],
      [manners.dropped, { outcome: "connection", isBilled: false }],
      [manners.brokenOff, { outcome: "truncated", isBilled: true }],
      [manners.silent, { outcome: "timeout_total", isBilled: true }],
    ] as const) {
      rest -= share
      if (rest < 0) return result
    }
    return { outcome: "ok", isBilled: true }
  }
  const service: SimulatedService = {
    books,
    fate,
    onRequest() {},
    onEnd() {},
    calm() {
      isCalm = true
    },
    isCalm: () => isCalm,
    fail(ms) {
      downUntilMs = scheduler.now() + ms
    },
    provider: (model, batches) => ({
      kind: "simulated",
      ...(batches && { traits: { takesBatches: true } }),
      model,
      label: model,
      endpoint: "http://service",
      identity: { simulated: model },
      price,
      open: async () => ({
        request: (request, options) => ask(model, script(model, request, options.sampleId), options),
        resources: async () => noResources,
        notes: () => [],
        ...(batches && { batches }),
        async close() {},
      }),
    }),
  }
  const ask = (model: string, reply: Reply, options: RequestOptions): Promise<Answer> => {
    const actor = scheduler.current()!
    const { outcome: result, isBilled } = fate()
    const completionTokens = 1 + random.integer(maxTokens)
    const tokens = isBilled ? promptTokens + completionTokens : 0
    const usd = isBilled ? promptTokens / 1_000 + completionTokens / 500 : 0
    const sentMs = scheduler.now()
    const { question, step, text, toolCalls = [] } = reply
    const { repeat = 0 } = options
    const booked: Booked = {
      ...{
        model,
        question,
        repeat,
        ...(step !== undefined && { step }),
        actor,
        sentMs,
        endMs: Number.POSITIVE_INFINITY,
        outcome: result,
        usd,
        tokens,
        isDelivered: false,
      },
    }
    if (actor.isDead) return new Promise(() => {})
    service.onRequest(booked)
    books.push(booked)
    return new Promise((resolve) => {
      const tookMs =
        result === "timeout_total"
          ? options.timeouts.totalMs
          : -Math.log(1 - random.next()) * manners.meanMs * (result === "rate_limited" ? 0.1 : 1)
      const end = (outcome: Outcome): void => {
        booked.endMs = scheduler.now()
        booked.isDelivered = true
        service.onEnd(booked)
        const atMs = (ms: number) => ms - options.originMs
        const endMs = atMs(booked.endMs)
        const isOk = outcome === "ok"
        resolve(
          bareAnswer({
            outcome,
            text: isOk ? text : "",
            toolCalls: isOk ? toolCalls : [],
            finishReason: isOk ? (toolCalls.length > 0 ? "tool_calls" : "stop") : null,
            usage: isOk ? { ...unknownUsage, promptTokens, completionTokens } : unknownUsage,
            httpStatus: isOk ? 200 : outcome === "rate_limited" ? 429 : outcome === "http_5xx" ? 500 : null,
            failure: isOk ? null : { message: outcome },
            retryAfterMs: outcome === "rate_limited" ? Math.round(2_000 * random.next()) : null,
            log: {
              ...{
                scheduledMs: atMs(options.scheduledMs),
                sendMs: atMs(sentMs),
                connectMs: null,
                headersMs: endMs,
                endMs,
              },
              events:
                isOk || outcome === "truncated"
                  ? [{ atMs: endMs, kind: "content", tokens: completionTokens, bytes: 8 }]
                  : [],
            },
          }),
        )
      }
      const cancel = scheduler.after(tookMs, actor, () => end(result))
      options.signal.addEventListener("abort", () => {
        cancel()
        end("cancelled")
      })
    })
  }
  return service
}
