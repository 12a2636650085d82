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

/** Members by `GenerateContentRequest` and `GenerateContentBatch` of ai.google.dev/api (2026). */
const fields = {
  request: "contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent model",
  config:
    "temperature topP topK candidateCount maxOutputTokens stopSequences seed responseLogprobs logprobs responseMimeType responseJsonSchema thinkingConfig",
  batch: "displayName inputConfig priority",
} as const

/** How a mock of Gemini differs: `withKeys` false leaves the requests' keys out of the replies, as the service was seen to do. */
export interface GeminiDeskOptions extends DeskOptions {
  readonly withKeys?: boolean
}

/** Gemini's `streamGenerateContent` and `batchGenerateContent`; models whose name ends in `-new` refuse a temperature. */
export function geminiDesk(key: string, options: GeminiDeskOptions = {}): OpenDesk {
  return openDesk(
    options,
    (request, desk) => {
      if (request.headers["x-goog-api-key"] !== key)
        throw new Refused(400, "API key not valid. Please pass a valid API key.")
      return reply(request, desk)
    },
    (code, message) => ({
      error: { code, message, status: code === 404 ? "NOT_FOUND" : "INVALID_ARGUMENT", details: [] },
    }),
  )
}

/** The same on the loopback interface. */
export function startGeminiBatches(key: string, options: GeminiDeskOptions = {}): Promise<BatchMock> {
  return serveDesk(geminiDesk(key, options), "")
}

async function reply(request: Asked, desk: Desk): Promise<Reply> {
  const { method, path, text, query, headers } = request
  const [, model, what] = /^\/v1beta\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
  if (method === "POST" && what === "streamGenerateContent") return live(JSON.parse(text), String(model), desk)
  if (method === "POST" && what === "batchGenerateContent") {
    if (Number(headers["content-length"]) !== Buffer.byteLength(text)) throw new Error("content-length")
    if (Buffer.byteLength(text) > 20_000_000) throw new Error("Request payload size exceeds the limit")
    const { batch } = strict(JSON.parse(text) as JsonValue, "batch", "body")
    const { displayName, inputConfig } = strict(batch, fields.batch, "batch")
    const { requests } = strict(inputConfig, "requests fileName", "batch.input_config")
    const list = strict(requests, "requests", "batch.input_config.requests").requests as JsonValue[]
    const taken = list.map((entry) => {
      const { request: body, metadata } = strict(entry, "request metadata", "inlined_request")
      checkRequest(strict(body, fields.request, "request"), String(model))
      // The model stands in the path; here with its request, so that those of two variants differ.
      return { id: String((metadata as JsonObject).key), body: { ...(body as JsonObject), model: String(model) } }
    })
    return { json: described(await desk.take(String(displayName), taken), desk) }
  }
  if (method === "GET" && path === "/v1beta/batches") {
    const newest = [...desk.batches].reverse()
    const from = Number(query.get("pageToken") ?? 0)
    const size = Number(query.get("pageSize") ?? 20)
    const operations = newest.slice(from, from + size).map((batch) => described(batch, desk))
    return { json: { operations, ...(from + size < newest.length && { nextPageToken: String(from + size) }) } }
  }
  const [, id, part] = /^\/v1beta\/batches\/([^/:]+)(:cancel)?$/.exec(path) ?? []
  const batch = desk.batches.find((entry) => entry.id === id)
  if (!batch) throw new Refused(404, "Requested entity was not found.")
  if (part) {
    batch.isCancelled = true
    return { json: {} }
  }
  desk.isOver(batch)
  return { json: described(batch, desk) }
}

function checkRequest(body: JsonObject, model: string): void {
  const config = strict(body.generationConfig ?? {}, fields.config, "generation_config")
  if (config.temperature !== undefined && model.endsWith("-new"))
    throw new Error(`Unsupported value: temperature cannot be set for models/${model}`)
}

function described(batch: DeskBatch, desk: Desk): JsonObject {
  const { options } = desk
  const isOver = batch.isCancelled || batch.looks > (options.looks ?? 1)
  const end = batch.isCancelled ? "CANCELLED" : (options.end?.(batch)?.toUpperCase() ?? "SUCCEEDED")
  const state = isOver ? end : batch.looks === 0 ? "PENDING" : "RUNNING"
  const withKeys = (options as GeminiDeskOptions).withKeys ?? true
  const replies = isOver && end === "SUCCEEDED" ? desk.results(batch) : []
  const inlinedResponses = replies.map(([{ id, body }, fate]) => ({
    ...(withKeys && { metadata: { key: id } }),
    ...(fate === "ok"
      ? { response: content(body, desk) }
      : { error: { code: fate === "error" ? 3 : fate === "overloaded" ? 14 : 1, message: "no such thing" } }),
  }))
  return {
    name: `batches/${batch.id}`,
    metadata: {
      "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
      displayName: batch.label,
      state: `BATCH_STATE_${state}`,
      createTime: new Date(batch.createdMs).toISOString(),
      batchStats: {
        requestCount: String(batch.requests.length),
        successfulRequestCount: String(replies.length),
        pendingRequestCount: String(isOver ? 0 : batch.requests.length),
      },
    },
    ...(isOver && { done: true }),
    ...(isOver && end === "FAILED" && { error: { code: 9, message: "the batch has a fault" } }),
    ...(replies.length > 0 && { response: { inlinedResponses: { inlinedResponses } } }),
  }
}

function content(body: JsonObject, { options }: Desk): JsonObject {
  const [prompt, completion] = options.tokens ?? defaultTokens
  const [part] = ((body.contents as JsonObject[]).at(-1)?.parts ?? []) as JsonObject[]
  const text = options.text?.(body) ?? String(part?.text)
  return {
    candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: prompt, candidatesTokenCount: completion, totalTokenCount: prompt + completion },
    modelVersion: "gemini-001",
    responseId: "resp-1",
  }
}

function live(body: JsonObject, model: string, desk: Desk): Reply {
  checkRequest(strict(body, fields.request, "request"), model)
  desk.live.push(body)
  return { text: `data: ${JSON.stringify(content(body, desk))}\r\n\r\n`, type: "text/event-stream" }
}
