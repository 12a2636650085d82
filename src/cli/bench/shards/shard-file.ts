import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import { z } from "zod"
import type { ShardFile } from "../../../bench/shards/merge-shards.ts"
import type { ShardRecord, ShardRequest } from "../../../bench/shards/shard-record.ts"
import { price } from "../../../config/price-schema.ts"
import { messageOf, UsageError } from "../../../core/errors.ts"
import type { JsonValue } from "../../../core/json.ts"
import { lines } from "../../../platform/lines.ts"
import { writeOutput } from "../../../platform/output-file.ts"
import { attempt } from "../../../store/archive/line-schema.ts"

/** What the first line says that it is. */
const kind = "evalkit bench shard"

/** Writes what a worker measured: a line of settings, then one for each request. */
export async function writeShard(path: string, { requests, ...head }: ShardRecord): Promise<void> {
  await writeOutput(path, async (write) => {
    await write(`${JSON.stringify({ kind, ...head })}\n`)
    for (const request of requests) await write(`${JSON.stringify(request)}\n`)
  })
}

/**
 * Reads what {@link writeShard} wrote.
 *
 * @throws UsageError with file and line for what cannot be read or is something else
 */
export async function readShard(path: string, cwd: string): Promise<ShardFile> {
  let head: z.infer<typeof headSchema> | undefined
  const requests: ShardRequest[] = []
  try {
    for await (const line of lines(createReadStream(resolve(cwd, path)), maxLineBytes)) {
      const where = `${path}:${line.number}`
      if (line.text === null) throw notOne(where, line.fault)
      if (line.text === "") continue
      if (head) requests.push(parsed(requestSchema, line.text, where) as ShardRequest)
      else head = parsed(headSchema, line.text, where)
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError("the part of a load cannot be read", { where: path, hint: messageOf(cause), cause })
  }
  if (!head) throw notOne(path, "the file is empty")
  const { kind: _, ...record } = head
  return { path, record: { ...record, requests } as unknown as ShardRecord }
}

const maxLineBytes = 64 * 2 ** 20

function parsed<Schema extends z.ZodType>(schema: Schema, text: string, where: string): z.infer<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notOne(where, "the line is not JSON: it may have been cut off")
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw notOne(where, issue ? `${issue.path.join(".")}: ${issue.message}` : "it is something else")
}

function notOne(where: string, reason: string): UsageError {
  return new UsageError("this is not what evalkit bench --shard wrote", { where: `${where}: ${reason.slice(0, 200)}` })
}

const count = z.int().nonnegative()
const positive = z.number().positive()
const text = z.string()
const duration = z.number().nonnegative()
const numberOrNull = z.number().nullable()

const settings = z.strictObject({
  evalkit: text,
  variant: text.min(1),
  endpoint: text,
  price: price.nullable(),
  slo: z.array(
    z.strictObject({
      figure: z.enum(["ttft", "ttft_from_intent", "ttft_any", "tpot", "e2e", "stop", "itl.max"]),
      maxMs: positive,
      share: z.number().min(0.5).lt(1).optional(),
    }),
  ),
  availabilityTarget: z.number().gt(0).lt(1),
  fixedLength: z.boolean(),
  arrivals: text,
  seed: z.number(),
  requests: count.min(2).max(1e7),
  schedule: text,
  prompts: text,
  workers: count.min(1).max(1e7),
  startAt: text,
})

const clientLoad = z.strictObject({
  loops: count,
  eventLoopUtilisation: duration,
  eventLoopDelayMsP99: duration,
  gcMs: duration,
  gcCount: count,
  involuntaryContextSwitches: numberOrNull,
  cpuSeconds: duration,
  durationMs: duration,
})

const clientError = z.strictObject({
  ttftMsP50: duration,
  ttftMsP99: duration,
  itlMsP50: duration,
  itlMsP99: duration,
  requests: count,
  chunks: count,
  chunksPerSecond: duration,
  concurrency: count,
})

const headSchema = z
  .strictObject({
    kind: z.literal(kind),
    shard: z.strictObject({ number: count.min(1), of: count.min(1) }),
    settings,
    host: text,
    contextWindow: z.strictObject({ tokens: positive, source: text }).nullable(),
    clock: z.strictObject({
      server: text.nullable(),
      aheadMs: numberOrNull,
      errorMs: duration.nullable(),
      reason: text.nullable(),
    }),
    durationMs: positive,
    clientError: clientError.nullable(),
    clientLoad,
    transport: text.nullable(),
    remarks: z.array(text),
  })
  .refine(
    ({ shard, settings: { workers } }) => shard.number <= shard.of && shard.of === workers,
    "the part's number is not one of its load's",
  )

const requestSchema = z.strictObject({
  place: count,
  dueMs: duration,
  askedTokens: numberOrNull,
  answer: attempt.extend({
    text: z.literal(""),
    reasoning: z.literal(""),
    toolCalls: z.tuple([]),
    logprobs: z.null(),
    finishReason: text.nullable(),
    servedModel: text.nullable(),
    server: z.custom<JsonValue>((value) => value !== undefined, "expected a value"),
    retryAfterMs: numberOrNull,
    lost: z.array(attempt).optional(),
    refused: z.array(attempt).optional(),
  }),
})
