import { z } from "zod"
import { UsageError } from "../../core/errors.ts"
import { logOfFigures } from "../../core/foreign/log-of-figures.ts"
import type { Answer, Returned, StagePassage } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import { type Outcome, outcomes } from "../../core/outcome.ts"
import type { RequestLog, Stage } from "../../core/request-log.ts"
import { endOfFinish, type FinishedAnswer, isFinish } from "../../core/run/finish-reason.ts"
import type { Usage, usageParts } from "../../core/usage.ts"

const count = z.number().int().nonnegative()
const milliseconds = z.number().nonnegative()
const anyJson = z.custom<JsonValue>((value) => value !== undefined)

const eventSchema = z.object({
  atMs: z.number(),
  kind: z.enum(["role", "reasoning", "content", "tool", "usage", "error", "done"]),
  tokens: count.nullable().default(null),
  bytes: count.default(0),
})

const logprobSchema = z.object({
  token: z.string(),
  logprob: z.number(),
  top: z.array(z.object({ token: z.string(), logprob: z.number() })).default([]),
})

const stageSchema = z.object({
  ms: milliseconds.optional(),
  passages: z
    .array(z.union([z.string(), z.object({ id: z.string().optional(), text: z.string().optional() })]))
    .optional(),
})

const part = count.optional()
/** Classes of tokens that have a price of their own; see `Usage`. */
const parts = {
  cacheWrite5mTokens: part,
  cacheWrite1hTokens: part,
  cacheWriteTokens: part,
  audioPromptTokens: part,
  imagePromptTokens: part,
  videoPromptTokens: part,
  cachedAudioPromptTokens: part,
  cachedImagePromptTokens: part,
  cachedVideoPromptTokens: part,
  audioCompletionTokens: part,
  imageCompletionTokens: part,
} satisfies Record<(typeof usageParts)[number], unknown>

const rowSchema = z.object({
  /** The sample's id. `sampleId` means the same. */
  id: z.string().optional(),
  sampleId: z.string().optional(),
  repeat: count.default(0),
  variant: z.string().nullish(),
  /** The answer. `output` means the same. */
  text: z.string().optional(),
  output: z.string().optional(),
  reasoning: z.string().default(""),
  toolCalls: z.array(z.object({ name: z.string(), arguments: anyJson, id: z.string().optional() })).default([]),
  logprobs: z.array(logprobSchema).nullable().default(null),
  /** Default: as `finishReason` says, else `ok`; `empty` when there is neither text nor a tool call. */
  outcome: z.enum(outcomes).optional(),
  finishReason: z.string().nullish(),
  /** The text was given to the model to be scored, not written by it. */
  isGivenText: z.boolean().optional(),
  usage: z
    .object({
      promptTokens: count.nullable().default(null),
      cachedPromptTokens: count.nullable().default(null),
      completionTokens: count.nullable().default(null),
      reasoningTokens: count.nullable().default(null),
      ...parts,
      units: z.record(z.string(), z.number().nonnegative()).optional(),
      serviceTier: z.string().optional(),
      region: z.string().optional(),
      speed: z.string().optional(),
      chargedUsd: z.number().nonnegative().optional(),
    })
    .prefault({}),
  /** The whole log, stamps relative to whatever origin the record has. */
  log: z
    .object({
      scheduledMs: z.number(),
      sendMs: z.number(),
      connectMs: milliseconds.nullable().default(null),
      headersMs: z.number().nullable().default(null),
      events: z.array(eventSchema),
      endMs: z.number(),
      endOnly: z.literal(true).optional(),
      stages: z.array(z.object({ name: z.string(), startMs: z.number(), endMs: z.number() })).optional(),
    })
    .optional(),
  /** Without a log: when the first text came and when the last, in milliseconds from the start. */
  ttftMs: milliseconds.optional(),
  e2eMs: milliseconds.optional(),
  httpStatus: z.number().int().nullish(),
  failure: z.object({ message: z.string(), code: z.string().optional() }).nullish(),
  retryAfterMs: milliseconds.nullish(),
  servedModel: z.string().nullish(),
  server: anyJson.optional(),
  passages: z.array(z.string()).optional(),
  stages: z.record(z.string().regex(/^[A-Za-z][\w-]{0,39}$/), z.union([milliseconds, stageSchema])).optional(),
  returned: z.record(z.string(), anyJson).optional(),
})

/** What the schema takes; {@link RecordedRow} says the same without it, and a type test holds them together. */
export type SchemaRow = z.input<typeof rowSchema>

/** A row in the terms of a provider. */
export interface RecordedAnswer {
  readonly sampleId: string
  readonly repeat: number
  readonly variant: string | null
  readonly answer: Answer
}

/** Checks a row. Throws {@link UsageError} with the place and the field. */
export function readRecordedRow(value: unknown, where: string): RecordedAnswer {
  const parsed = rowSchema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new UsageError(`a recorded answer is not usable (${issue?.path.join(".") || "row"}: ${issue?.message})`, {
      where,
    })
  }
  const row = parsed.data
  const sampleId = row.id ?? row.sampleId
  if (sampleId === undefined)
    throw new UsageError("a recorded answer has no id", { where, hint: "give the sample's id as `id`" })
  const text = row.text ?? row.output ?? ""
  const isEmpty = text === "" && row.toolCalls.length === 0
  const end = row.outcome ? null : endOfReason(row.finishReason ?? null)
  const outcome = row.outcome ?? end?.outcome ?? (isEmpty ? "empty" : "ok")
  const answer: Answer = {
    outcome,
    text,
    reasoning: row.reasoning,
    toolCalls: row.toolCalls.map(({ id, ...call }) => ({ ...call, ...(id === undefined ? {} : { id }) })),
    logprobs: row.logprobs,
    finishReason: row.finishReason ?? (row.isGivenText ? null : defaultEnding(outcome)),
    ...(row.isGivenText && { isGivenText: true }),
    usage: row.usage as Usage,
    log: withStages(
      row.log ? givenLog(row.log) : logOfFigures({ ...row, text, tokens: row.usage.completionTokens }),
      row.stages,
    ),
    httpStatus: row.httpStatus ?? null,
    failure: row.failure
      ? { message: row.failure.message, ...(row.failure.code === undefined ? {} : { code: row.failure.code }) }
      : (end?.failure ?? null),
    retryAfterMs: row.retryAfterMs ?? null,
    servedModel: row.servedModel ?? null,
    server: row.server ?? null,
    ...returnedOf(row),
  }
  return { sampleId, repeat: row.repeat, variant: row.variant ?? null, answer }
}

function givenLog({ endOnly, stages, ...log }: NonNullable<z.output<typeof rowSchema>["log"]>): RequestLog {
  return { ...log, ...(endOnly && { endOnly }), ...(stages && { stages }) }
}

type ReadRow = z.output<typeof rowSchema>

/** A log with the times of stages, one behind the other. */
function withStages(log: RequestLog, stages: ReadRow["stages"] = {}): RequestLog {
  let at = log.sendMs
  const timed = Object.entries(stages).flatMap(([name, stage]): Stage[] => {
    const ms = typeof stage === "number" ? stage : stage.ms
    if (ms === undefined) return []
    const startMs = at
    at += ms
    return [{ name, startMs, endMs: at }]
  })
  return timed.length === 0 ? log : { ...log, stages: timed }
}

/** What the application gave beside its text. */
function returnedOf({ passages, stages = {}, returned }: ReadRow): { readonly returned?: Returned } {
  const had = Object.entries(stages).flatMap(([name, stage]) =>
    typeof stage === "number" || !stage.passages ? [] : [[name, { passages: stage.passages as StagePassage[] }]],
  )
  const all: Returned = {
    ...(passages && { passages }),
    ...(had.length > 0 && { stages: Object.fromEntries(had) as NonNullable<Returned["stages"]> }),
    ...(returned && { fields: returned }),
  }
  return Object.keys(all).length === 0 ? {} : { returned: all }
}

/** What the row's finish reason says where it gives no outcome. */
function endOfReason(reason: string | null): FinishedAnswer | null {
  return isFinish(reason) ? endOfFinish(reason) : null
}

/** How an endpoint ends an answer of an outcome, where the row does not say. */
function defaultEnding(outcome: Outcome): string | null {
  return outcome === "ok" ? "stop" : outcome === "length" ? "length" : null
}
