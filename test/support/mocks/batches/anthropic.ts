import type { JsonObject, JsonValue } from "../../../../src/core/json.ts"
import {
  type Asked,
  type BatchMock,
  type Desk,
  type DeskBatch,
  type DeskOptions,
  defaultTokens,
  type OpenDesk,
  openDesk,
  Refused,
  type Reply,
  serveDesk,
  strict,
} from "./desk.ts"

/** Members of a request, as `MessageCreateParams` of anthropics/anthropic-sdk-typescript 0.120.0 has them, without `stream`. */
const params =
  "model max_tokens messages system temperature top_p top_k stop_sequences tools tool_choice thinking output_config metadata service_tier inference_geo cache_control"

/** Anthropic's Messages and Message Batches; models whose name ends in `-new` refuse a temperature. */
export function anthropicDesk(key: string, options: DeskOptions = {}): OpenDesk {
  return openDesk(
    options,
    (request, desk) => {
      if (request.headers["x-api-key"] !== key) throw new Refused(401, "invalid x-api-key")
      if (request.headers["anthropic-version"] !== "2023-06-01")
        throw new Error("anthropic-version: header is required")
      return reply(request, desk)
    },
    (status, message) => ({ type: "error", error: { type: typeOf(status), message }, request_id: "req_1" }),
  )
}

/** The same on the loopback interface. */
export function startAnthropicBatches(key: string, options: DeskOptions = {}): Promise<BatchMock> {
  return serveDesk(anthropicDesk(key, options), "")
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error"
  if (status === 429) return "rate_limit_error"
  return status >= 500 ? "api_error" : "invalid_request_error"
}

async function reply(request: Asked, desk: Desk): Promise<Reply> {
  const { method, path, text, query, headers } = request
  if (method === "POST" && path === "/v1/messages") return live(JSON.parse(text), desk)
  if (method === "POST" && path === "/v1/messages/batches") {
    if (Number(headers["content-length"]) !== Buffer.byteLength(text)) throw new Error("content-length")
    const { requests } = strict(JSON.parse(text) as JsonValue, "requests", "batch")
    const taken = (requests as JsonValue[]).map((entry, index) => {
      const { custom_id, params: body } = strict(entry, "custom_id params", `requests.${index}`)
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(custom_id))) throw new Error(`requests.${index}.custom_id`)
      return { id: String(custom_id), body: strict(body, params, `requests.${index}.params`) }
    })
    return { json: described(await desk.take("", taken), desk) }
  }
  if (method === "GET" && path === "/v1/messages/batches") {
    const newest = [...desk.batches].reverse()
    const from = newest.findIndex(({ id }) => id === query.get("after_id")) + 1
    const limit = Number(query.get("limit") ?? 20)
    const page = newest.slice(from, from + limit)
    for (const batch of page) desk.isOver(batch)
    const data = page.map((batch) => described(batch, desk))
    return { json: { data, has_more: from + limit < newest.length, first_id: null, last_id: null } }
  }
  const [, id, part] = /^\/v1\/messages\/batches\/([^/]+)(\/\w+)?$/.exec(path) ?? []
  const batch = desk.batches.find((entry) => entry.id === id)
  if (!batch) throw new Refused(404, `Not found: ${path}`)
  if (part === "/cancel") batch.isCancelled = true
  else if (part === "/results") return { text: resultsOf(batch, desk) }
  else desk.isOver(batch)
  return { json: described(batch, desk) }
}

function described(batch: DeskBatch, { options }: Desk): JsonObject {
  const isOver = batch.isCancelled || batch.looks > (options.looks ?? 1)
  const fates = batch.requests.map((request) => options.fate?.(request, batch) ?? "ok")
  const count = (...expected: readonly string[]) => (isOver ? fates.filter((own) => expected.includes(own)).length : 0)
  return {
    id: batch.id,
    type: "message_batch",
    processing_status: isOver ? "ended" : "in_progress",
    request_counts: {
      processing: isOver ? 0 : batch.requests.length,
      succeeded: count("ok"),
      errored: count("error", "overloaded", "missing"),
      canceled: count("cancelled"),
      expired: count("expired"),
    },
    created_at: new Date(batch.createdMs).toISOString(),
    expires_at: new Date(batch.createdMs + 86_400_000).toISOString(),
    ended_at: isOver ? new Date().toISOString() : null,
    cancel_initiated_at: null,
    archived_at: null,
    results_url: isOver ? `https://api.anthropic.com/v1/messages/batches/${batch.id}/results` : null,
  }
}

function resultsOf(batch: DeskBatch, desk: Desk): string {
  return desk
    .results(batch)
    .map(([{ id, body }, fate]) => ({ custom_id: id, result: resultOf(body, fate, desk) }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .reverse()
    .join("")
}

function resultOf(body: JsonObject, fate: string, desk: Desk): JsonObject {
  if (fate === "ok") return { type: "succeeded", message: message(body, desk, "batch") }
  if (fate === "expired") return { type: "expired" }
  if (fate === "cancelled") return { type: "canceled" }
  const type = fate === "error" ? "invalid_request_error" : "overloaded_error"
  return { type: "errored", error: { type: "error", error: { type, message: "no such thing" } } }
}

function message(body: JsonObject, { options }: Desk, tier: string): JsonObject {
  const { tokens = defaultTokens } = options
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: `${String(body.model)}-20260801`,
    content: [{ type: "text", text: options.text?.(body) ?? promptOf(body) }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: tokens[0],
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: tokens[1],
      service_tier: tier,
    },
  }
}

function promptOf(body: JsonObject): string {
  const [block] = ((body.messages as JsonObject[]).at(-1)?.content ?? []) as JsonObject[]
  return String(block?.text)
}

function live(body: JsonObject, desk: Desk): Reply {
  const { stream, ...rest } = body
  if (stream !== true) throw new Error("a stream is expected")
  strict(rest, params, "body")
  if (rest.temperature !== undefined && String(rest.model).endsWith("-new"))
    throw new Error("`temperature` is deprecated for this model")
  desk.live.push(body)
  const { content, usage, stop_reason, ...whole } = message(rest, desk, "standard")
  const [block] = content as JsonObject[]
  const events: JsonObject[] = [
    {
      type: "message_start",
      message: { ...whole, content: [], usage: { ...(usage as JsonObject), output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: block?.text ?? "" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: stop_reason ?? null, stop_sequence: null },
      usage: { output_tokens: 500 },
    },
    { type: "message_stop" },
  ]
  const text = events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("")
  return { text, type: "text/event-stream" }
}
