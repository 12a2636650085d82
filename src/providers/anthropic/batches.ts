import { BatchError } from "../../core/batch/batch-error.ts"
import type { BatchResult, BatchService, BatchStatus, FoundBatch, SentBatch } from "../../core/batch/batch-service.ts"
import { asMembers, asNumber, asText, type Members, membersOf, parseJson } from "../../core/json-members.ts"
import { batchedAnswer, unansweredInBatch } from "../batch/answer.ts"
import { type BatchClient, createBatchClient } from "../batch/client.ts"
import { jsonList } from "../batch/json-list.ts"
import type { DialectBatches } from "../dialect/session.ts"
import { withoutParameters } from "../refusals/parameters.ts"
import { readAnthropic } from "./read.ts"

/**
 * Anthropic's Message Batches. They take no label: a batch that may have been sent is told by when it was made, by how many requests it
 * has, and, once it has ended, by the ids of its results, which are looked at before it counts as ours.
 *
 * Source: platform.claude.com/docs/en/api/messages/batches; `MessageBatch` of anthropics/anthropic-sdk-typescript 0.120.0.
 */
export function anthropicBatches({
  origin,
  path,
  headers,
  memory,
  write,
  maxAnswerBytes,
}: DialectBatches): BatchService {
  const client = createBatchClient(origin, headers, maxAnswerBytes)
  const at = (id?: string, part = "") => `${path}${id === undefined ? "" : `/${encodeURIComponent(id)}`}${part}`
  const lines = (id: string, signal: AbortSignal) => client.lines(at(id, "/results"), signal)
  return {
    limits: { requests: 100_000, bytes: 256_000_000 },
    withheld: (parameters) => [...memory.call(parameters).withheld()],
    line(id, request, withheld) {
      const { stream: _stream, ...params } = withoutParameters(write(request), new Set(withheld))
      return JSON.stringify({ custom_id: id, params })
    },
    async create(batch, _uploaded, signal) {
      const { parts, bytes } = jsonList('{"requests":[', batch, "]}")
      const sent = { "content-type": "application/json", "content-length": String(bytes) }
      return statusOf(await client.json({ method: "POST", path: at(), headers: sent, body: parts }, signal), at())
    },
    find: (batch, signal) => findAmong(batch, client, at, lines, signal),
    poll: async (id, signal) => statusOf(await client.json({ method: "GET", path: at(id) }, signal), at(id)),
    async *results({ id }, _ids, signal) {
      for await (const line of lines(id, signal)) {
        const result = resultOf(line)
        if (result) yield result
      }
    },
    async cancel(id, signal) {
      await client.json({ method: "POST", path: at(id, "/cancel") }, signal)
    },
  }
}

function countsOf(batch: Members): { readonly done: number; readonly total: number } {
  const counts = asMembers(batch.request_counts)
  const of = (name: string): number => asNumber(counts?.[name]) ?? 0
  const done = of("succeeded") + of("errored") + of("canceled") + of("expired")
  return { done, total: done + of("processing") }
}

function statusOf(
  reply: { readonly value: unknown; readonly retryAfterMs: number | null },
  where: string,
): BatchStatus {
  const batch = asMembers(reply.value)
  const id = asText(batch?.id)
  if (!batch || id === "") throw new BatchError("the reply names no id", { fault: "unclear", where })
  const state = asText(batch.processing_status).slice(0, 40)
  return {
    id,
    state,
    end: state === "ended" ? "completed" : null,
    done: countsOf(batch).done,
    reason: null,
    results: [],
    retryAfterMs: reply.retryAfterMs,
  }
}

const pageSize = 100
const maxPages = 50
/** A batch cannot have been made before it was sent; clocks may differ by less than this. */
const clockSlackMs = 15 * 60_000

async function findAmong(
  batch: SentBatch,
  client: BatchClient,
  at: () => string,
  lines: (id: string, signal: AbortSignal) => AsyncIterable<string>,
  signal: AbortSignal,
): Promise<FoundBatch> {
  const earliest = Date.parse(batch.sentAt) - clockSlackMs
  const working: string[] = []
  let after = ""
  for (let page = 0; page < maxPages; page++) {
    const where = `${at()}?limit=${pageSize}${after && `&after_id=${encodeURIComponent(after)}`}`
    const reply = asMembers((await client.json({ method: "GET", path: where }, signal)).value)
    const listed = membersOf(reply?.data)
    const late = listed.filter((entry) => !(Date.parse(asText(entry.created_at)) < earliest))
    for (const entry of late.filter((other) => countsOf(other).total === batch.requests)) {
      const status = statusOf({ value: entry, retryAfterMs: null }, where)
      if (status.end === null) working.push(status.id)
      else if (await isOurs(batch, lines(status.id, signal))) return { kind: "found", status }
    }
    const last = listed.at(-1)
    if (!last || reply?.has_more !== true || late.length < listed.length) break
    after = asText(last.id)
  }
  if (working.length === 0) return { kind: "none" }
  const some = working.length === 1 ? `batch ${working[0]} has` : `${working.length} batches have`
  return {
    kind: "later",
    reason: `${some} as many requests as ours; the service names no label, so that its results must tell when it has ended`,
  }
}

async function isOurs({ tag }: SentBatch, lines: AsyncIterable<string>): Promise<boolean> {
  for await (const line of lines) {
    const parsed = parseJson(line)
    return "value" in parsed && asText(asMembers(parsed.value)?.custom_id).startsWith(`${tag}-`)
  }
  return false
}

/** Statuses of the errors that the service names without one. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

function resultOf(line: string): BatchResult | null {
  const parsed = parseJson(line)
  const members = "value" in parsed ? asMembers(parsed.value) : null
  const id = asText(members?.custom_id)
  const result = asMembers(members?.result)
  if (!result || id === "") return null
  const read = readAnthropic
  switch (result.type) {
    case "succeeded":
      return { id, answer: batchedAnswer({ status: 200, body: JSON.stringify(result.message ?? null), read }) }
    case "expired":
      return { id, answer: unansweredInBatch("batch_expired", "the batch expired before the request was begun") }
    case "canceled":
      return {
        id,
        answer: unansweredInBatch("batch_cancelled", "the batch was cancelled before the request was begun"),
      }
    default: {
      // The error is wrapped as in the reply to a live call, or bare.
      const error = asMembers(result.error)
      const type = asText(asMembers(error?.error)?.type) || asText(error?.type)
      const body = asMembers(error?.error) ? error : { error }
      return { id, answer: batchedAnswer({ status: statuses[type] ?? 500, body: JSON.stringify(body), read }) }
    }
  }
}
