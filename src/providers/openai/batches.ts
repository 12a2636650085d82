import type { ReadEvents } from "../../capture/read-answer.ts"
import { BatchError } from "../../core/batch/batch-error.ts"
import type {
  BatchEnd,
  BatchResult,
  BatchService,
  BatchStatus,
  FoundBatch,
  OutgoingBatch,
  SentBatch,
} from "../../core/batch/batch-service.ts"
import type { JsonObject } from "../../core/json.ts"
import { asList, asMembers, asNumber, asText, type Members, membersOf, parseJson } from "../../core/json-members.ts"
import type { ModelRequest } from "../../core/provider.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { batchedAnswer, unansweredInBatch } from "../batch/answer.ts"
import { type BatchClient, createBatchClient } from "../batch/client.ts"
import type { RefusalMemory } from "../refusals/memory.ts"
import { withoutParameters } from "../refusals/parameters.ts"
import type { OpenaiInterface } from "./interfaces.ts"
import { type Endpoint, requestHeaders } from "./transport.ts"

/** What the batches of an endpoint are made with. */
export interface OpenaiBatchOptions {
  readonly endpoint: Endpoint
  readonly memory: RefusalMemory
  readonly api: Pick<OpenaiInterface, "resource" | "read">
  /** The body of a streamed call. */
  body(request: ModelRequest): JsonObject
  /** Of one result. */
  readonly maxAnswerBytes: number
}

/** How a batch was found that an earlier process may have sent. */
const label = "evalkit_key"

/**
 * OpenAI's batches, which other services have as well: a file of requests, a batch that refers to it, a file of results and one of
 * failures. A batch is found again by the file that it refers to, and by the key in its metadata.
 *
 * Source: developers.openai.com/api/docs/guides/batch; `Batch` of openai/openai-node 7.5.0.
 */
export function openaiBatches({ endpoint, memory, api, body, maxAnswerBytes }: OpenaiBatchOptions): BatchService {
  // As batches name it, whatever stands before it in the base URL.
  const callPath = `/v1${api.resource}`
  const { "content-type": _type, accept: _accept, ...headers } = requestHeaders(endpoint)
  const client = createBatchClient(endpoint.origin, headers, maxAnswerBytes)
  const path = (resource: string, query = "") => withQuery(endpoint.path(resource), query)
  return {
    limits: { requests: 50_000, bytes: 200_000_000 },
    withheld: (parameters) => [...memory.call(parameters).withheld()],
    line(id, request, withheld) {
      const { stream: _stream, stream_options: _options, ...sent } = withoutParameters(body(request), new Set(withheld))
      return JSON.stringify({ custom_id: id, method: "POST", url: callPath, body: sent })
    },
    async upload(batch, signal) {
      const { value } = await client.json({ method: "POST", path: path("/files"), ...formOf(batch) }, signal)
      return idOf(value, path("/files"))
    },
    async create(batch, uploaded, signal) {
      const request = {
        input_file_id: uploaded,
        endpoint: callPath,
        completion_window: "24h",
        metadata: { [label]: batch.key },
      }
      const headersOfJson = { "content-type": "application/json" }
      const asked = {
        method: "POST",
        path: path("/batches"),
        headers: headersOfJson,
        body: JSON.stringify(request),
      } as const
      return statusOf(await client.json(asked, signal), path("/batches"))
    },
    find: (batch, signal) => findAmong(batch, client, path, signal),
    async poll(id, signal) {
      const where = path(`/batches/${encodeURIComponent(id)}`)
      return statusOf(await client.json({ method: "GET", path: where }, signal), where)
    },
    async *results({ results }, _ids, signal) {
      for (const file of results)
        for await (const line of client.lines(path(`/files/${encodeURIComponent(file)}/content`), signal)) {
          const result = resultOf(line, api.read)
          if (result) yield result
        }
    },
    async cancel(id, signal) {
      await client.json({ method: "POST", path: path(`/batches/${encodeURIComponent(id)}/cancel`) }, signal)
    },
  }
}

function withQuery(path: string, query: string): string {
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`
}

/** A file for a form: its lines are sent as they are made. */
function formOf(batch: OutgoingBatch) {
  const boundary = `evalkit-${batch.key}`
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${batch.key}.jsonl"\r\n` +
    "content-type: application/jsonl\r\n\r\n"
  const tail = `\r\n--${boundary}--\r\n`
  function* body() {
    yield head
    for (const line of batch.lines()) yield `${line}\n`
    yield tail
  }
  return {
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(head.length + batch.bytes + tail.length),
    },
    body: body(),
  }
}

function idOf(value: unknown, where: string): string {
  const id = asText(asMembers(value)?.id)
  if (id === "") throw new BatchError("the reply names no id", { fault: "unclear", where })
  return id
}

const ends: Readonly<Record<string, BatchEnd>> = {
  completed: "completed",
  expired: "expired",
  cancelled: "cancelled",
  failed: "failed",
}

function statusOf(
  { value, retryAfterMs }: { readonly value: unknown; readonly retryAfterMs: number | null },
  where: string,
): BatchStatus {
  const id = idOf(value, where)
  const batch = asMembers(value) as Members
  const state = bound(asText(batch.status), 40)
  const counts = asMembers(batch.request_counts)
  const done = counts ? (asNumber(counts.completed) ?? 0) + (asNumber(counts.failed) ?? 0) : null
  const reasons = asList(asMembers(batch.errors)?.data).map((error) => asText(asMembers(error)?.message))
  return {
    id,
    state,
    end: ends[state] ?? null,
    done,
    reason: reasons.length === 0 ? null : bound(redactSecrets(reasons.slice(0, 3).join("; "))),
    results: [batch.output_file_id, batch.error_file_id].map(asText).filter((file) => file !== ""),
    retryAfterMs,
  }
}

/** Batches of one page, and pages that are looked through: the newest come first. */
const pageSize = 100
const maxPages = 50
/** A batch cannot have been made before it was sent; clocks may differ by less than this, in seconds. */
const clockSlackSeconds = 86_400

async function findAmong(
  batch: SentBatch,
  client: BatchClient,
  path: (resource: string, query?: string) => string,
  signal: AbortSignal,
): Promise<FoundBatch> {
  const earliest = Date.parse(batch.sentAt) / 1000 - clockSlackSeconds
  let after = ""
  for (let page = 0; page < maxPages; page++) {
    const where = path("/batches", `limit=${pageSize}${after && `&after=${encodeURIComponent(after)}`}`)
    const asked = client.json({ method: "GET", path: where }, signal)
    const { value } = await asked.catch((error: unknown) => {
      if (error instanceof BatchError && error.fault === "refused") return { value: null, error }
      throw error
    })
    const reply = asMembers(value)
    if (!reply || !Array.isArray(reply.data))
      return { kind: "unsearchable", reason: "the service does not list its batches" }
    const listed = membersOf(reply.data)
    for (const entry of listed)
      if (
        asText(asMembers(entry.metadata)?.[label]) === batch.key ||
        (batch.uploaded !== null && entry.input_file_id === batch.uploaded)
      )
        return { kind: "found", status: statusOf({ value: entry, retryAfterMs: null }, where) }
    const last = listed.at(-1)
    if (!last || reply.has_more !== true || (asNumber(last.created_at) ?? earliest) < earliest) return { kind: "none" }
    after = asText(last.id)
  }
  return { kind: "unsearchable", reason: `the service has more than ${maxPages * pageSize} batches of late` }
}

/** One line of a file of results or of failures. */
function resultOf(line: string, read: ReadEvents | undefined): BatchResult | null {
  const parsed = parseJson(line)
  const members = "value" in parsed ? asMembers(parsed.value) : null
  const id = asText(members?.custom_id)
  if (!members || id === "") return null
  const response = asMembers(members.response)
  const error = asMembers(members.error)
  const code = asText(error?.code)
  if (code === "batch_expired" || code === "batch_cancelled")
    return { id, answer: unansweredInBatch(code, asText(error?.message) || code) }
  const status = asNumber(response?.status_code)
  if (response && status !== null)
    return { id, answer: batchedAnswer({ status, body: JSON.stringify(response.body ?? null), ...(read && { read }) }) }
  return { id, answer: batchedAnswer({ status: 500, body: JSON.stringify({ error: error ?? "no response" }) }) }
}
