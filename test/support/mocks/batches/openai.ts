import type { JsonObject, JsonValue } from "../../../../src/core/json.ts"
import {
  type Asked,
  type BatchMock,
  type Desk,
  type DeskBatch,
  type DeskOptions,
  type DeskRequest,
  defaultTokens,
  type OpenDesk,
  openDesk,
  Refused,
  type Reply,
  serveDesk,
  strict,
} from "./desk.ts"

/** Members by `BatchCreateParams`, `BatchRequestInput` and chat completions of openai/openai-node 7.5.0. */
const fields = {
  line: "custom_id method url body",
  batch: "input_file_id endpoint completion_window metadata output_expires_after",
  body: "model messages temperature top_p max_tokens max_completion_tokens stop seed reasoning_effort logprobs top_logprobs tools tool_choice response_format",
} as const

/** OpenAI's files, batches and chat completions; models whose name ends in `-new` refuse a temperature. */
export function openaiDesk(key: string | null, options: DeskOptions = {}): OpenDesk {
  const files = new Map<string, readonly DeskRequest[]>()
  return openDesk(
    options,
    (request, desk) => {
      if (key !== null && request.headers.authorization !== `Bearer ${key}`)
        throw new Refused(401, "Incorrect API key provided")
      return reply(request, desk, files)
    },
    (_status, message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  )
}

/** The same on the loopback interface. */
export function startOpenaiBatches(key: string | null, options: DeskOptions = {}): Promise<BatchMock> {
  return serveDesk(openaiDesk(key, options), "/v1")
}

async function reply(request: Asked, desk: Desk, files: Map<string, readonly DeskRequest[]>): Promise<Reply> {
  const { method, path, text } = request
  if (method === "POST" && path === "/v1/chat/completions") return live(JSON.parse(text), desk)
  if (method === "POST" && path === "/v1/files") {
    const id = `file-${files.size + 1}`
    files.set(id, linesOf(request))
    return {
      json: {
        id,
        object: "file",
        bytes: text.length,
        created_at: seconds(Date.now()),
        filename: "x.jsonl",
        purpose: "batch",
      },
    }
  }
  if (method === "POST" && path === "/v1/batches") return { json: await create(request, desk, files) }
  if (method === "GET" && path === "/v1/batches") {
    if (desk.options.unlisted) throw new Refused(404, "Unknown request URL: GET /v1/batches")
    const newest = [...desk.batches].reverse()
    const from = newest.findIndex(({ id }) => id === request.query.get("after")) + 1
    const limit = Number(request.query.get("limit") ?? 20)
    const data = newest.slice(from, from + limit).map((batch) => described(batch, desk, inputs.get(batch) ?? ""))
    return { json: { object: "list", data, has_more: from + limit < newest.length } }
  }
  const [, id = "", part] = /^\/v1\/batches\/([^/]+)(\/cancel)?$/.exec(path) ?? []
  const batch = desk.batches.find((entry) => entry.id === id)
  if (batch) {
    if (part) batch.isCancelled = true
    else desk.isOver(batch)
    return { json: described(batch, desk, inputs.get(batch) ?? "") }
  }
  const [, kind, number] = /^\/v1\/files\/file-(out|err)-(\d+)\/content$/.exec(path) ?? []
  const of = desk.batches[Number(number) - 1]
  if (of) return { text: contentOf(of, desk, kind === "out") }
  throw new Refused(404, `No such resource: ${path}`)
}

const seconds = (ms: number): number => Math.floor(ms / 1000)
const inputs = new WeakMap<DeskBatch, string>()

function linesOf({ headers, text }: Asked): readonly DeskRequest[] {
  const boundary = /boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1]
  if (boundary === undefined) throw new Error("a form is required")
  if (Number(headers["content-length"]) !== Buffer.byteLength(text)) throw new Error("content-length")
  const parts = text.split(`--${boundary}`).map((part) => part.split("\r\n\r\n"))
  const purpose = parts.find(([head]) => head?.includes('name="purpose"'))?.[1]?.trim()
  const file = parts.find(([head]) => head?.includes('name="file"'))?.[1]
  if (purpose !== "batch" || file === undefined) throw new Error("purpose and file are required")
  return file
    .trim()
    .split("\n")
    .map((line) => {
      const { custom_id, method, url, body } = strict(JSON.parse(line) as JsonValue, fields.line, "line")
      if (method !== "POST" || url !== "/v1/chat/completions") throw new Error("line: another method or url")
      if (typeof custom_id !== "string" || custom_id.length > 64) throw new Error("line: custom_id")
      return { id: custom_id, body: strict(body, fields.body, "body") }
    })
}

async function create(
  { text }: Asked,
  desk: Desk,
  files: ReadonlyMap<string, readonly DeskRequest[]>,
): Promise<JsonObject> {
  const body = strict(JSON.parse(text) as JsonValue, fields.batch, "batch")
  const requests = files.get(String(body.input_file_id))
  if (!requests) throw new Error(`No such File object: ${String(body.input_file_id)}`)
  if (body.endpoint !== "/v1/chat/completions" || body.completion_window !== "24h")
    throw new Error("endpoint or window")
  const label = String((body.metadata as JsonObject | undefined)?.evalkit_key ?? "")
  const batch = await desk.take(label, requests)
  inputs.set(batch, String(body.input_file_id))
  return described(batch, desk, String(body.input_file_id))
}

function described(batch: DeskBatch, { options }: Desk, input: string): JsonObject {
  const isOver = batch.isCancelled || batch.looks > (options.looks ?? 1)
  const fates = batch.requests.map((request) => options.fate?.(request, batch) ?? "ok")
  const end = batch.isCancelled ? "cancelled" : (options.end?.(batch) ?? "completed")
  const failed = end === "failed"
  const total = batch.requests.length
  return {
    id: batch.id,
    object: "batch",
    endpoint: "/v1/chat/completions",
    errors:
      isOver && failed
        ? { object: "list", data: [{ code: "invalid", message: "the file has a fault", line: 1 }] }
        : null,
    input_file_id: input,
    completion_window: "24h",
    status: isOver ? end : batch.looks === 0 ? "validating" : "in_progress",
    output_file_id: isOver && !failed && fates.includes("ok") ? `file-out-${batch.number}` : null,
    error_file_id:
      isOver && !failed && fates.some((fate) => fate !== "ok" && fate !== "missing")
        ? `file-err-${batch.number}`
        : null,
    created_at: seconds(batch.createdMs),
    metadata: batch.label === "" ? null : { evalkit_key: batch.label },
    request_counts: { total, completed: isOver ? total : 0, failed: 0 },
  }
}

function contentOf(batch: DeskBatch, desk: Desk, good: boolean): string {
  return desk
    .results(batch)
    .filter(([, fate]) => (fate === "ok") === good)
    .map(([{ id, body }, fate]) => {
      const line = { id: `batch_req_${id}`, custom_id: id }
      if (fate === "ok")
        return {
          ...line,
          response: { status_code: 200, request_id: "r", body: completion(body, desk, batch.number) },
          error: null,
        }
      if (fate === "expired" || fate === "cancelled")
        return {
          ...line,
          response: null,
          error: { code: `batch_${fate}`, message: `This request could not be executed: ${fate}` },
        }
      const status = fate === "error" ? 400 : 503
      const error = { message: "no such thing", type: "invalid_request_error", param: null, code: null }
      return { ...line, response: { status_code: status, request_id: "r", body: { error } }, error: null }
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .reverse()
    .join("")
}

/** Tokens are the numbers in the prompt, so that a bill can be told from it. */
function completion(body: JsonObject, { options }: Desk, _batch: number): JsonObject {
  const prompt = promptOf(body)
  const text = options.text?.(body) ?? prompt
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: `${String(body.model)}-2026-01-01`,
    choices: [
      { index: 0, message: { role: "assistant", content: text, refusal: null }, logprobs: null, finish_reason: "stop" },
    ],
    usage: usageOf(options),
  }
}

function usageOf({ tokens = defaultTokens }: DeskOptions): JsonObject {
  const [prompt_tokens, completion_tokens] = tokens
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

function promptOf(body: JsonObject): string {
  return String((body.messages as JsonObject[]).at(-1)?.content)
}

function live(body: JsonObject, desk: Desk): Reply {
  const { stream, stream_options, ...rest } = body
  if (stream !== true || !stream_options) throw new Error("a stream is expected")
  strict(rest, fields.body, "body")
  if (rest.temperature !== undefined && String(rest.model).endsWith("-new"))
    throw new Error("Unsupported value: 'temperature' does not support 0 with this model.")
  desk.live.push(body)
  const event = (value: JsonValue) => `data: ${JSON.stringify(value)}\n\n`
  const text = desk.options.text?.(rest) ?? promptOf(rest)
  const chunk = (delta: JsonObject, finish: string | null) => ({
    model: `${String(rest.model)}-2026-01-01`,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const usage = usageOf(desk.options)
  const events = [chunk({ role: "assistant", content: text }, null), chunk({}, "stop"), { choices: [], usage }]
  return { text: `${events.map(event).join("")}data: [DONE]\n\n`, type: "text/event-stream" }
}
