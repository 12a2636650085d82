import type { Readable } from "node:stream"
import { Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from "undici"
import type { BatchService } from "../../../src/core/batch/batch-service.ts"
import type { Random } from "../../../src/core/random.ts"
import { anthropicBatches } from "../../../src/providers/anthropic/batches.ts"
import { writeAnthropic } from "../../../src/providers/anthropic/write.ts"
import { geminiBatches } from "../../../src/providers/gemini/batches.ts"
import { writeGemini } from "../../../src/providers/gemini/write.ts"
import { openaiBatches } from "../../../src/providers/openai/batches.ts"
import { interfaceOf } from "../../../src/providers/openai/interfaces.ts"
import { createEndpoint } from "../../../src/providers/openai/transport.ts"
import { createRefusalMemory } from "../../../src/providers/refusals/memory.ts"
import { anthropicDesk } from "../mocks/batches/anthropic.ts"
import {
  type Asked,
  asRequest,
  type DeskBatch,
  type DeskOptions,
  type DeskRequest,
  type Fate,
  type OpenDesk,
} from "../mocks/batches/desk.ts"
import { geminiDesk } from "../mocks/batches/gemini.ts"
import { openaiDesk } from "../mocks/batches/openai.ts"
import type { BatchPlan } from "./plan.ts"
import { Actor, type Scheduler } from "./scheduler.ts"
import { answerOf, type Booked, type Manners, maxTokens, promptTokens, type SimulatedService } from "./service.ts"

const key = "key"
const origin = "http://batches.simulated"
const memory = () => createRefusalMemory([])
const maxAnswerBytes = 1_000_000

/** The product's own clients, and the mocks that they talk to. */
const services = {
  openai: {
    desk: (options: DeskOptions) => openaiDesk(key, options),
    client: (model: string) =>
      openaiBatches({
        ...{
          endpoint: createEndpoint(`${origin}/v1`, key, {}),
          memory: memory(),
          api: interfaceOf({}),
          maxAnswerBytes,
        },
        body: (request) => interfaceOf({}).write(request, { model }),
      }),
  },
  anthropic: {
    desk: (options: DeskOptions) => anthropicDesk(key, options),
    client: (model: string) =>
      anthropicBatches({
        ...{ origin, path: "/v1/messages/batches", memory: memory(), maxAnswerBytes },
        headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
        write: (request) => writeAnthropic(request, { model }),
      }),
  },
  gemini: {
    desk: (options: DeskOptions) => geminiDesk(key, options),
    client: (model: string) =>
      geminiBatches({
        ...{ origin, path: `/v1beta/models/${model}:batchGenerateContent`, memory: memory(), maxAnswerBytes },
        headers: { "x-goog-api-key": key },
        write: (request) => writeGemini(request, { model }),
      }),
  },
} as const

/** A batch interface over a network that fails. */
export interface SimulatedBatches {
  /** The product's client for a model. */
  client(model: string): BatchService
  /** Every request of every batch that was taken, as the service bills it by now. */
  books(): readonly Booked[]
  /** Called as a batch is taken, for each of its requests. */
  onTaken: (model: string, question: string) => void
  /** Gives the machine's own network back. */
  close(): void
}

/** What a batch is told as it is taken: nothing of it ends otherwise, but for a cancellation. */
const fates: readonly Fate[] = ["ok", "ok", "ok", "ok", "ok", "ok", "error", "overloaded", "expired", "missing"]

export function createBatches(
  plan: BatchPlan,
  { scheduler, random, service, manners }: BatchesWorld,
): SimulatedBatches {
  const drawn = new WeakMap<DeskRequest | DeskBatch, number>()
  const draw = (part: DeskRequest | DeskBatch): number => {
    const share = drawn.get(part) ?? random.next()
    drawn.set(part, share)
    return share
  }
  const isFaulty = random.next() < 0.6
  const fate = (request: DeskRequest, batch: DeskBatch): Fate => {
    const share = draw(request)
    // Gemini gives nothing of a batch that was cancelled.
    if (batch.isCancelled && (share < 0.5 || plan.service === "gemini")) return "cancelled"
    return isFaulty ? fates[Math.floor(share * fates.length)]! : "ok"
  }
  const end = (batch: DeskBatch) =>
    isFaulty && draw(batch) < 0.1 && plan.service !== "anthropic" ? ("failed" as const) : undefined
  const { desk: open, client } = services[plan.service]
  const text = (body: object): string => {
    const { model, question } = questionOf(body)
    return answerOf(model, question)
  }
  const desk = open({ looks: plan.looks, fate, end, text, tokens: [promptTokens, answerTokens] })
  const before = getGlobalDispatcher()
  const taken = new Map<DeskBatch, number>()
  const books: SimulatedBatches = {
    client(model) {
      const own = client(model)
      return { ...own, limits: { ...own.limits, requests: plan.requests } }
    },
    onTaken() {},
    books: () =>
      desk.batches.flatMap((batch) =>
        batch.requests.map((request) => {
          const isOk = fate(request, batch) === "ok" && end(batch) === undefined
          return {
            ...{ ...questionOf(request.body), repeat: 0, actor: desker, isDelivered: isOk, isBatch: true },
            ...{ sentMs: taken.get(batch) ?? 0, endMs: scheduler.now(), outcome: isOk ? "ok" : "batch_failed" },
            usd: isOk ? (promptTokens / 1_000 + answerTokens / 500) / 2 : 0,
            tokens: isOk ? promptTokens + answerTokens : 0,
          } as const
        }),
      ),
    close: () => setGlobalDispatcher(before),
  }
  const handle = async (request: Asked) => {
    const reply = await desk.handle(request)
    for (const batch of desk.batches) {
      if (taken.has(batch)) continue
      taken.set(batch, scheduler.now())
      for (const { body } of batch.requests) {
        const { model, question } = questionOf(body)
        books.onTaken(model, question)
      }
    }
    return reply
  }
  setGlobalDispatcher(new Network(scheduler, random, service, manners, handle))
  return books
}

interface BatchesWorld {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly service: SimulatedService
  readonly manners: Manners
}

/** Nobody's process: what a batch holds is never in flight in one that dies. */
const desker = new Actor("batch service")
const answerTokens = maxTokens / 2

/** What a request asks whom, in whichever interface. */
function questionOf(body: object): { readonly model: string; readonly question: string } {
  const question = /ask (s\d+)/.exec(JSON.stringify(body))?.[1] ?? ""
  return { model: String((body as { readonly model?: unknown }).model), question }
}

/** Longest way of a request or a reply, in milliseconds: well below the time between two looks for a batch. */
const maxWayMs = 900

/** HTTP over a network that loses requests and replies, in simulated time. */
class Network extends Dispatcher {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #service: SimulatedService
  readonly #manners: Manners
  readonly #handle: OpenDesk["handle"]

  constructor(
    scheduler: Scheduler,
    random: Random,
    service: SimulatedService,
    manners: Manners,
    handle: OpenDesk["handle"],
  ) {
    super()
    this.#scheduler = scheduler
    this.#random = random
    this.#service = service
    this.#manners = manners
    this.#handle = handle
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    let isOver = false
    const fail = (error: Error): void => {
      if (!isOver) handler.onError?.(error)
      isOver = true
    }
    handler.onConnect?.((error) => fail(error ?? new Error("aborted")))
    void this.#send(options, handler, () => isOver, fail).catch(fail)
    return true
  }

  async #send(
    { method, path, headers, body, headersTimeout }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    isOver: () => boolean,
    fail: (error: Error) => void,
  ): Promise<void> {
    const [scheduler, random] = [this.#scheduler, this.#random]
    const actor = scheduler.current()!
    let text = typeof body === "string" ? body : ""
    if (body && typeof body !== "string") for await (const part of body as Readable) text += String(part)
    if (isOver() || actor.isDead) return
    const { outcome } = this.#service.fate()
    const isDone = outcome === "ok" || outcome === "truncated" || (outcome !== "rate_limited" && random.next() < 0.5)
    const wayMs = (): number => Math.min(maxWayMs, -Math.log(1 - random.next()) * this.#manners.meanMs * 0.2)
    const deliver = (ms: number, work: () => void): void =>
      void scheduler.after(ms, actor, () => scheduler.runAs(actor, () => !isOver() && work()))
    const reply = (status: number, fields: Readonly<Record<string, string>>, content: string): void => {
      const raw = Object.entries(fields).flatMap((pair) => pair.map((name) => Buffer.from(name)))
      handler.onHeaders?.(status, raw, () => {}, "")
      const isCut = outcome === "truncated"
      handler.onData?.(Buffer.from(isCut ? content.slice(0, content.length * random.next()) : content))
      if (isCut) fail(new Error("the connection was closed"))
      else handler.onComplete?.([])
    }
    // What was sent arrives, whatever becomes of who sent it.
    scheduler.after(wayMs(), null, async () => {
      const asked = asRequest(method, path, headers as Record<string, string>, text)
      const done = isDone ? await this.#handle(asked) : null
      if (outcome === "timeout_total")
        return deliver(headersTimeout ?? 300_000, () => fail(new Error("no reply came in time")))
      deliver(wayMs(), () => {
        if (outcome === "connection") fail(new Error("the connection was lost"))
        else if (outcome === "rate_limited") reply(429, { "retry-after": "2" }, "{}")
        else if (outcome === "http_5xx") reply(random.next() < 0.5 ? 500 : 502, {}, "{}")
        else if (done) reply(done.status, done.headers, done.body)
      })
    })
  }
}
