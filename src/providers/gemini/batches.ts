import { BatchError } from "../../core/batch/batch-error.ts"
import type {
  BatchEnd,
  BatchResult,
  BatchService,
  BatchStatus,
  FoundBatch,
  SentBatch,
} from "../../core/batch/batch-service.ts"
import { asList, asMembers, asNumber, asText, type Members, membersOf } from "../../core/json-members.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { batchedAnswer } from "../batch/answer.ts"
import { type BatchClient, createBatchClient } from "../batch/client.ts"
import { jsonList } from "../batch/json-list.ts"
import type { DialectBatches } from "../dialect/session.ts"
import { withoutParameters } from "../refusals/parameters.ts"
import { readGemini } from "./read.ts"

/**
 * Gemini's batches with their requests and their answers inline: at most 20 MB each, so that a large run makes several of them. A batch
 * is found again by its display name.
 *
 * Source: ai.google.dev/api/batch-api; `BatchJob` of googleapis/js-genai (2026-08-21).
 */
export function geminiBatches({ origin, path, headers, memory, write, maxAnswerBytes }: DialectBatches): BatchService {
  const client = createBatchClient(origin, headers, Math.max(maxAnswerBytes, maxReplyBytes))
  const version = /^(.*?\/v1[^/]*)\//.exec(path)?.[1] ?? "/v1beta"
  const at = (name: string, part = "") => `${version}/${name.split("/").map(encodeURIComponent).join("/")}${part}`
  const look = async (name: string, signal: AbortSignal) =>
    (await client.json({ method: "GET", path: at(name) }, signal)).value
  return {
    // Room for the frame around the requests.
    limits: { requests: 50_000, bytes: 19_000_000 },
    withheld: (parameters) => [...memory.call(parameters).withheld()],
    line: (id, request, withheld) =>
      JSON.stringify({ request: withoutParameters(write(request), new Set(withheld)), metadata: { key: id } }),
    async create(batch, _uploaded, signal) {
      const head = `{"batch":{"displayName":${JSON.stringify(batch.key)},"inputConfig":{"requests":{"requests":[`
      const { parts, bytes } = jsonList(head, batch, "]}}}}")
      const sent = { "content-type": "application/json", "content-length": String(bytes) }
      const { value } = await client.json({ method: "POST", path, headers: sent, body: parts }, signal)
      return statusOf(value, path)
    },
    find: (batch, signal) => findAmong(batch, client, version, signal),
    poll: async (id, signal) => statusOf(await look(id, signal), at(id)),
    async *results({ id }, ids, signal) {
      const replies = inlinedReplies(await look(id, signal))
      for (const [index, reply] of replies.entries()) {
        const result = resultOf(reply, replies.length === ids.length ? ids[index] : undefined)
        if (result) yield result
      }
    },
    async cancel(id, signal) {
      await client.json({ method: "POST", path: at(id, ":cancel") }, signal)
    },
  }
}

/** Of one batch with all its answers, which come in one reply. */
const maxReplyBytes = 512 * 1024 * 1024

const ends: Readonly<Record<string, BatchEnd>> = {
  SUCCEEDED: "completed",
  FAILED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
}

function statusOf(value: unknown, where: string): BatchStatus {
  const operation = asMembers(value)
  const batch = asMembers(operation?.metadata) ?? operation
  const id = asText(operation?.name) || asText(batch?.name)
  if (!batch || id === "")
    throw new BatchError("the reply names no batch", { fault: "unclear", where: where.split("?")[0] ?? "" })
  const state = asText(batch.state)
    .replace(/^(?:BATCH|JOB)_STATE_/, "")
    .slice(0, 40)
  const error = asMembers(operation?.error) ?? asMembers(batch.error)
  const end = ends[state] ?? (error ? "failed" : operation?.done === true ? "completed" : null)
  const reason = asText(error?.message)
  return {
    id,
    state: state.toLowerCase() || "unknown",
    end,
    done: doneOf(asMembers(batch.batchStats)),
    reason: reason === "" ? null : bound(redactSecrets(reason)),
    results: [],
    retryAfterMs: null,
  }
}

/** Counts come as texts (int64). */
function doneOf(stats: Members | null): number | null {
  if (!stats) return null
  const of = (name: string): number => Number(stats[name] ?? 0) || 0
  return of("successfulRequestCount") + of("failedRequestCount")
}

function inlinedReplies(value: unknown): readonly unknown[] {
  const operation = asMembers(value)
  const output = asMembers(operation?.response) ?? asMembers(asMembers(operation?.metadata)?.output)
  const inlined = output?.inlinedResponses
  return Array.isArray(inlined) ? inlined : asList(asMembers(inlined)?.inlinedResponses)
}

/** Statuses of Google's error codes. */
const statuses: Readonly<Record<number, number>> = {
  1: 499,
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  13: 500,
  14: 503,
  16: 401,
}

/** @param inOrder the id of the request that stands at the same place, for a reply without one */
function resultOf(reply: unknown, inOrder: string | undefined): BatchResult | null {
  const members = asMembers(reply)
  const id = asText(asMembers(members?.metadata)?.key) || inOrder
  if (!members || id === undefined) return null
  const read = readGemini
  const error = asMembers(members.error)
  if (!error)
    return { id, answer: batchedAnswer({ status: 200, body: JSON.stringify(members.response ?? null), read }) }
  const code = asNumber(error.code) ?? 13
  const status = code >= 100 ? code : (statuses[code] ?? 500)
  return { id, answer: batchedAnswer({ status, body: JSON.stringify({ error }), read }) }
}

const pageSize = 100
const maxPages = 50

async function findAmong(
  batch: SentBatch,
  client: BatchClient,
  version: string,
  signal: AbortSignal,
): Promise<FoundBatch> {
  let after = ""
  for (let page = 0; page < maxPages; page++) {
    const where = `${version}/batches?pageSize=${pageSize}${after && `&pageToken=${encodeURIComponent(after)}`}`
    const reply = asMembers((await client.json({ method: "GET", path: where }, signal)).value)
    const listed = membersOf(reply?.operations ?? reply?.batches)
    for (const entry of listed)
      if (asText((asMembers(entry.metadata) ?? entry).displayName) === batch.key)
        return { kind: "found", status: statusOf(entry, where) }
    after = asText(reply?.nextPageToken)
    if (after === "") return { kind: "none" }
  }
  return { kind: "unsearchable", reason: `the service has more than ${maxPages * pageSize} batches` }
}
