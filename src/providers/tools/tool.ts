import type { Tool, ToolContext, ToolEffects, ToolReply } from "../../core/episode/design.ts"
import { messageOf, UsageError } from "../../core/errors.ts"
import { canonicalJson, contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { checkOptions } from "../../core/options.ts"
import { createRandom } from "../../core/random.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { type ArgumentSchema, readArguments, type Typed, toolSchema } from "./schema.ts"

/** What a tool gives back: a text as it is, anything else as JSON. @public */
export type ToolResult = JsonValue | undefined

/** An answer of a tool that was recorded. @public */
export interface RecordedCall {
  /** The arguments that it answers, compared as JSON; the order of members does not matter. */
  readonly arguments: JsonValue
  readonly result?: JsonValue
  /** The tool failed with this message. */
  readonly error?: string
}

/** Errors that are made on purpose. @public */
export interface ToolFaults {
  /** Share of the calls that fail, 0..1: the same calls of every variant. */
  readonly share: number
  /** What the model is told. Default: `the service is not available`. */
  readonly message?: string
}

/** Options of {@link tool}. One of `run`, `mock` and `recorded` says where results come from. @public */
export interface ToolOptions<Schema extends ArgumentSchema = ArgumentSchema, State = unknown> {
  /** Letters, digits, `_` and `-`, at most 64: what services take. */
  readonly name: string
  readonly description?: string
  /** Its arguments: a zod schema, or JSON schema of an object. */
  readonly parameters: Schema
  /** Code of your own, in this process. What it throws is told to the model as an error. */
  readonly run?: (input: Typed<Schema>, context: ToolContext<State>) => ToolResult | Promise<ToolResult>
  /** The same result for every call. */
  readonly mock?: JsonValue
  /** Results by arguments. Other arguments end as `no_recording`. */
  readonly recorded?: readonly RecordedCall[]
  /**
   * What calling it changes. `none`: nothing (default of `mock` and `recorded`). `state`: the episode's state (default of `run`). `outside`:
   * something that outlives the episode; such a call is made once, whatever becomes of the process.
   */
  readonly effects?: ToolEffects
  /** Milliseconds that a call may take. Default: 30,000. Work that keeps the thread busy cannot be stopped. */
  readonly timeoutMs?: number
  /** Characters of a result that a model is given, at most. Default: 20,000. */
  readonly maxResultCharacters?: number
  /** Errors that are made on purpose. Default: none. */
  readonly faults?: ToolFaults
  /** Change it when something behind `run` changes that its own text does not show. */
  readonly version?: string
}

/** More text than any model reads. */
const allowedResultCharacters = 4 * 1024 * 1024

/**
 * A tool that a model may call in an episode: its arguments are checked against the schema before it is called, and whatever happens, the
 * call ends in one class of its own (see `toolOutcomes`), which the model is told.
 *
 * @throws UsageError for options that do not go together, and for a schema that cannot be read
 * @example
 * tool({
 *   name: "book",
 *   description: "Books a seat.",
 *   parameters: z.object({ flight: z.string() }),
 *   run: ({ flight }, { state }) => { state.booked.push(flight); return { ok: true } },
 * })
 * @public
 */
export function tool<Schema extends ArgumentSchema, State = unknown>(options: ToolOptions<Schema, State>): Tool {
  checkOptions("tool", options as ToolOptions)
  const { name, description, run, mock, recorded, version, faults } = options
  const { timeoutMs = 30_000, maxResultCharacters = 20_000 } = options
  const where = `tool({ name: ${JSON.stringify(name)} })`
  if (!/^[\w-]{1,64}$/.test(name))
    throw new UsageError("the name of a tool has letters, digits, _ and -, at most 64", { where })
  if ([run, mock, recorded].filter((source) => source !== undefined).length !== 1)
    throw new UsageError("a tool needs exactly one of run, mock and recorded", { where })
  const effects = options.effects ?? (run ? "state" : "none")
  if (!(timeoutMs > 0 && timeoutMs <= 3_600_000))
    throw new UsageError("timeoutMs is above 0, at most an hour", { where })
  if (!(maxResultCharacters >= 1 && maxResultCharacters <= allowedResultCharacters))
    throw new UsageError(`maxResultCharacters is 1 to ${allowedResultCharacters}`, { where })
  if (faults && !(faults.share >= 0 && faults.share <= 1))
    throw new UsageError("faults.share is between 0 and 1", { where })
  const schema = toolSchema(options.parameters, where)
  const answers = new Map((recorded ?? []).map((recordedCall) => [canonicalJson(recordedCall.arguments), recordedCall]))
  const source: Source = (value, context) => {
    if (run) return run(value as Typed<Schema>, context as ToolContext<State>)
    if (!recorded) return mock
    const call = answers.get(canonicalJson(value))
    if (!call) throw new NotRecorded(`no answer is recorded for these arguments`)
    if (call.error !== undefined) throw new Error(call.error)
    return call.result
  }
  const limits = { timeoutMs, maxResultCharacters }
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: schema.json,
    effects,
    identity: {
      name,
      description: description ?? null,
      parameters: schema.json,
      effects,
      ...limits,
      faults: faults ? { ...faults } : null,
      version: version ?? null,
      source: run ? contentHash(Function.prototype.toString.call(run)) : contentHash(recorded ?? mock),
    } satisfies JsonObject,
    async call(input, context) {
      const read = await readArguments(schema, input)
      if ("outcome" in read) return failed(read.outcome, read.message)
      if (faults && createRandom(`${context.seed}/${name}`).next() < faults.share)
        return failed("injected_error", faults.message ?? "the service is not available")
      return replyOf(source, read.value, context, limits)
    },
  }
}

type Source = (value: unknown, context: ToolContext) => ToolResult | Promise<ToolResult>

class NotRecorded extends Error {}

async function replyOf(
  source: Source,
  value: unknown,
  context: ToolContext,
  { timeoutMs, maxResultCharacters }: { readonly timeoutMs: number; readonly maxResultCharacters: number },
): Promise<ToolReply> {
  try {
    const ended = await inTime((signal) => source(value, { ...context, signal }), context.signal, timeoutMs)
    if (ended.isLate) return failed("timeout", `the tool did not answer within ${timeoutMs / 1000} s`)
    const text = redactSecrets(textOf(ended.value))
    if (text.length <= maxResultCharacters) return { outcome: "ok", result: text }
    return {
      outcome: "too_large",
      result: `${text.slice(0, maxResultCharacters)}\n[cut: ${maxResultCharacters} of ${text.length} characters]`,
      resultLength: text.length,
    }
  } catch (error) {
    return failed(error instanceof NotRecorded ? "no_recording" : "error", redactSecrets(messageOf(error)))
  }
}

/** @throws TypeError for what is no JSON */
function textOf(result: ToolResult): string {
  if (typeof result === "string") return result
  if (result === undefined) return "null"
  const text = JSON.stringify(result)
  if (text === undefined) throw new TypeError("the tool gave something that is no JSON")
  return text
}

/** What a model is told of a failure. */
function failed(outcome: ToolReply["outcome"], message: string): ToolReply {
  return { outcome, result: JSON.stringify({ error: message.slice(0, 2000) }) }
}

/** What work brought, or that it did not end in time. */
type InTime<Value> = { readonly isLate: false; readonly value: Value } | { readonly isLate: true }

/**
 * Runs work with a signal that is aborted after a time, or with the outer one. Work that does not listen is left behind, and what it
 * brings later is dropped.
 */
async function inTime<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  outer: AbortSignal,
  limitMs: number,
): Promise<InTime<Value>> {
  const over = new AbortController()
  const signal = AbortSignal.any([outer, over.signal])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<InTime<Value>>((resolve) => {
    timer = setTimeout(() => {
      resolve({ isLate: true })
      over.abort(new Error("the time of the tool is over"))
    }, limitMs)
  })
  try {
    const working = (async (): Promise<InTime<Value>> => ({ isLate: false, value: await work(signal) }))()
    working.catch(() => {})
    return await Promise.race([working, late])
  } finally {
    clearTimeout(timer)
  }
}
