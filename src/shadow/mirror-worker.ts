import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import type { Exchange } from "../capture/exchange.ts"
import { readAnswer } from "../capture/read-answer.ts"
import { openCaptureThreads } from "../capture/threads/capture-threads.ts"
import { systemClock } from "../core/clock.ts"
import type { Answer } from "../core/generation.ts"
import type { JsonObject } from "../core/json.ts"
import { isFailure } from "../core/outcome.ts"
import { maxCallCostUsd, spendingOf } from "../cost/cost-of-usage.ts"
import { findPrice } from "../cost/price-book.ts"
import { lowerThreadPriority } from "../platform/lower-priority.ts"
import { interfaceOf } from "../providers/openai/interfaces.ts"
import { createEndpoint, requestHeaders } from "../providers/openai/transport.ts"
import { redactSecrets, rememberSecrets } from "../text/secrets.ts"
import { apiOf, candidateBody, maxTokensOf, readChatBody, unmirrored } from "./chat-request.ts"
import { openDailyBudget } from "./daily-budget.ts"
import { openDailyFile } from "./line-file.ts"
import type { MirrorCommand, MirroredCall, MirrorMessage, MirrorSettings, RecordedExchange } from "./mirrored-call.ts"
import { createPairRows } from "./pair-rows.ts"
import type { SkipReason } from "./skip-reason.ts"
import { createStopRule } from "./stop-rule.ts"

// The mirror, in a thread of its own: what reads, redacts and writes takes no time of the thread that passes the primary's answers on.

/** An answer of the candidate that is longer is cut off, and failed. */
const maxAnswerBytes = 8 * 1024 * 1024

const settings = workerData as MirrorSettings
const { candidate, primaryHost } = settings
if (candidate.apiKey !== null) rememberSecrets([candidate.apiKey])
const endpoint = createEndpoint(candidate.baseUrl, candidate.apiKey, {})
// Redacting a pair would make stamps late that are taken in the same thread.
const connections = new Map<string, ReturnType<typeof openCaptureThreads>>()
await connectionsOf("chat")
// Behind the proxy and what stamps, where processors are scarce: threads that exist already keep their priority.
lowerThreadPriority()
const isCandidate = (line: string) => line.includes('"model_group":"candidate"') && line.endsWith("}")
const pairs = openDailyFile(settings.folder, "pairs", () => systemClock.wall(), isCandidate)
const budget = openDailyBudget({
  budget: settings.budget,
  price: candidate.price,
  path: join(settings.folder, "spending.jsonl"),
  wallMs: () => systemClock.wall(),
})
const rows = createPairRows({ countries: settings.countries, key: Buffer.from(settings.pseudonymKey) })
const stopRule = createStopRule(settings.stopWhen, settings.stopCalls)
const stopped = new AbortController()
const waiting: MirroredCall[] = []
let running = 0
/** Why nothing more is sent; null: it is. */
let refusal: SkipReason | null = null
let [isEnding, isEnded] = [false, false]

const send = (message: MirrorMessage): void => parentPort?.postMessage(message)

parentPort?.on("message", (command: MirrorCommand) => {
  if (command.kind === "call") waiting.push(command.call)
  else {
    isEnding = true
    refusal ??= "ending"
    if (command.isNow) stopped.abort()
  }
  next()
})
send({ kind: "ready" })

function next(): void {
  while (waiting.length > 0 && (running < settings.maxConcurrency || refusal !== null)) {
    const call = waiting.shift() as MirroredCall
    running++
    void mirror(call)
      .catch((): SkipReason => "write_failed")
      .then((skipped) => {
        // Nothing is paid for that cannot be kept.
        if (skipped === "write_failed") refusal ??= skipped
        running--
        send({ kind: "ended", id: call.id, skipped, spent: budget.spent() })
        next()
      })
  }
  if (isEnding && running === 0 && !isEnded) {
    isEnded = true
    pairs.close()
    budget.close()
    for (const opened of connections.values()) void opened.then((connection) => connection.close())
    send({ kind: "drained" })
    parentPort?.close()
  }
}

/** Asks the candidate, and stores the pair. @returns why there is none */
async function mirror(call: MirroredCall): Promise<SkipReason | null> {
  if (refusal !== null) return refusal
  const body = readChatBody(call.body) ?? {}
  const unfit = unmirrored(body)
  if (unfit !== null) return unfit
  const primary = answerOf(exchangeOf(call.primary), body)
  // Nothing is paid for that has nothing to be compared with.
  if (isFailure(primary.outcome)) return "primary_failed"
  const asked = JSON.stringify(candidateBody(body, candidate))
  const completionTokens = maxTokensOf(body) ?? candidate.maxTokens
  // A token is a byte or more: the bytes of the request are no fewer than its tokens.
  const promptTokens = Buffer.byteLength(asked)
  const usd = maxCallCostUsd({ promptTokens, completionTokens }, candidate.price)
  const reservation = budget.reserve({ usd, tokens: promptTokens + completionTokens })
  if (!reservation) return "budget"
  const sentAtMs = systemClock.wall()
  const api = apiOf(body)
  const exchange = await (await connectionsOf(api)).capture(
    {
      method: "POST",
      path: endpoint.path(interfaceOf({ api }).resource),
      headers: requestHeaders(endpoint),
      body: asked,
    },
    { clock: systemClock, timeouts: settings.timeouts, signal: stopped.signal, maxAnswerBytes },
  )
  const answer = answerOf(exchange, body)
  reservation.settle(answer)
  // What was cancelled says nothing of the candidate.
  if (answer.outcome === "cancelled") return "ending"
  const model = String(body.model ?? "")
  const primaryPrice = findPrice(primaryHost, primary.servedModel ?? model) ?? findPrice(primaryHost, model)
  const lines = await rows.lines({
    id: randomUUID(),
    cluster: call.cluster,
    body,
    secrets: call.secrets,
    sides: [
      {
        variant: "primary",
        answer: primary,
        cost: spendingOf(primary, primaryPrice).cost,
        sentAtMs: call.sentAtMs,
        model,
        host: primaryHost,
      },
      {
        variant: "candidate",
        answer,
        cost: spendingOf(answer, candidate.price).cost,
        sentAtMs,
        model: candidate.model,
        host: new URL(endpoint.origin).host,
      },
    ],
  })
  pairs.append(lines)
  const { outcome, httpStatus } = answer
  if (isFailure(outcome)) send({ kind: "failed", failure: httpStatus === null ? outcome : `HTTP ${httpStatus}` })
  const finding = refusal === null ? stopRule.add(answer) : null
  if (finding) {
    refusal = "stopped"
    send({ kind: "stopped", finding })
  }
  return null
}

/** Connections whose thread knows how the interface is read; those of the Responses API from the first such request on. */
function connectionsOf(api: "chat" | "responses"): ReturnType<typeof openCaptureThreads> {
  const existing =
    connections.get(api) ?? openCaptureThreads(endpoint.origin, 1, undefined, interfaceOf({ api }).reader)
  connections.set(api, existing)
  return existing
}

function answerOf(exchange: Exchange, body: JsonObject): Answer {
  return readAnswer(exchange, {
    scheduledMs: exchange.sendMs,
    originMs: exchange.sendMs,
    wallMs: systemClock.wall(),
    promisedJson: false,
    transport: "undici",
    redact: redactSecrets,
    maxTokens: maxTokensOf(body) ?? undefined,
    read: interfaceOf({ api: apiOf(body) }).read,
  })
}

function exchangeOf({ bytes, ends, headers, ...exchange }: RecordedExchange): Exchange {
  const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
  return { ...exchange, chunks, headers: new Map(headers) }
}
