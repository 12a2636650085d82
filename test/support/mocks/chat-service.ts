import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { type Mock, type MockReply, startMock, unknownMember } from "./frame.ts"

/** Counts of one call, as every service counts them before it writes them down its own way. */
export interface Counts {
  readonly prompt: number
  /** Of the prompt: read from the service's cache. */
  readonly cached: number
  /** Of the answer: thinking. */
  readonly thinking: number
  /** The answer without its thinking. */
  readonly text: number
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: number
  readonly message: JsonValue
  readonly type?: string
  readonly code?: string | number | null
  readonly param?: string | null
}

/** Dollars per million tokens: prompt, cached prompt, answer. */
export type Rates = readonly [input: number, cached: number, output: number]

/** One OpenAI-shaped service: what it takes, what it refuses, how it streams, counts and bills. */
export interface ChatService {
  /** As `evalkit init --provider` calls it. */
  readonly name: string
  /** Path of the interface: `/v1`. */
  readonly basePath: string
  /** Environment variable of the key; null for a server without keys. */
  readonly keyVariable: string | null
  /** The models that it serves; null for a server that answers under any name. */
  readonly models: readonly string[] | null
  /** Members of a request by the reference, with blanks between. */
  readonly fields: string
  /** Members of members: `{ stream_options: "include_usage" }`. */
  readonly parts?: Readonly<Record<string, string>>
  /** How a member is refused that the reference does not have, by its path; absent: the service ignores it. */
  unknown?(path: readonly string[], value: JsonValue | undefined): Refusal
  /** What else is refused. */
  refuse?(body: JsonObject): Refusal | null
  readonly wrongKey: Refusal
  wrongModel?(model: string): Refusal
  /** The body of an error. */
  error(refusal: Refusal): JsonValue
  /** Tokens that a model thinks before it answers. Default: none. */
  thinks?(body: JsonObject): number
  /** Where thinking is shown; absent: it is only counted. */
  readonly thinkingIn?: "reasoning" | "reasoning_content"
  /** Tokens of the prompt that come from the cache. Default: none. */
  readonly caches?: boolean
  usage(counts: Counts): JsonObject
  /** When usage comes: in a chunk without choices where it is asked for or always, or with the last choice. */
  readonly usageIn: "chunk, when asked" | "chunk" | "last choice" | "both, when asked"
  /** Beside the choices of every chunk, of the last choice, and beside the usage. */
  readonly chunk?: JsonObject
  readonly choice?: JsonObject
  lastChunk?(counts: Counts): JsonObject
  /** A chunk before all others; lines that are no events. */
  readonly first?: JsonObject
  readonly comment?: string
  readonly headers?: Readonly<Record<string, string>>
  /** By model; absent: it costs nothing per token. */
  readonly rates?: Readonly<Record<string, Rates>>
}

/** A service that runs, and what it billed. */
export interface ChatMock extends Mock {
  /** Answered calls with all their counts. */
  readonly billed: readonly (Counts & { readonly model: string; readonly usd: number })[]
  /** Requests that were refused, as `status message`. */
  readonly refused: readonly string[]
}

/** Starts a service; every answer is "Paris". */
export async function startChatService(service: ChatService, key: string): Promise<ChatMock> {
  const billed: (Counts & { model: string; usd: number })[] = []
  const refused: string[] = []
  const mock = await startMock(({ url, headers, body }): MockReply => {
    const refusal = refusalOf(service, url, headers.authorization, key, body)
    if (refusal !== null) {
      refused.push(`${refusal.status} ${JSON.stringify(refusal.message)}`)
      return {
        status: refusal.status,
        body: service.error(refusal),
        ...(service.headers && { headers: service.headers }),
      }
    }
    const model = String(body.model)
    const { counts, finish } = countsOf(service, body)
    billed.push({ ...counts, model, usd: bill(counts, service.rates?.[model] ?? [0, 0, 0]) })
    const lines = chunksOf(service, body, counts, finish).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    const comment = service.comment === undefined ? [] : [`: ${service.comment}\n\n`]
    return {
      events: [...comment, ...lines, "data: [DONE]\n\n"],
      ...(service.headers && { headers: service.headers }),
    }
  })
  return { ...mock, billed, refused }
}

function refusalOf(
  service: ChatService,
  url: string,
  authorization: string | undefined,
  key: string,
  body: JsonObject,
): Refusal | null {
  if (url !== `${service.basePath}/chat/completions`) return { status: 404, message: "404 page not found" }
  if (service.keyVariable !== null && authorization !== `Bearer ${key}`) return service.wrongKey
  const model = String(body.model)
  if (service.models !== null && !service.models.includes(model))
    return service.wrongModel?.(model) ?? { status: 404, message: `The model \`${model}\` does not exist` }
  if (service.unknown) {
    const name = unknownMember(body, service.fields)
    if (name !== null) return service.unknown([name], body[name])
    for (const [part, members] of Object.entries(service.parts ?? {})) {
      const inner = unknownMember(body[part], members)
      if (inner !== null) return service.unknown([part, inner], (body[part] as JsonObject)[inner])
    }
  }
  return service.refuse?.(body) ?? null
}

const pieces = ["Par", "is"]

function countsOf(service: ChatService, body: JsonObject): { readonly counts: Counts; readonly finish: string } {
  const prompt = Math.ceil(JSON.stringify(body.messages).length / 4)
  const most = Number(body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY)
  const expected = service.thinks?.(body) ?? 0
  const thinking = Math.min(expected, most)
  const text = Math.min(pieces.length, most - thinking)
  return {
    counts: { prompt, cached: service.caches ? Math.floor(prompt / 3) : 0, thinking, text },
    finish: text < pieces.length ? "length" : "stop",
  }
}

function bill({ prompt, cached, thinking, text }: Counts, [input, read, output]: Rates): number {
  return ((prompt - cached) * input + cached * read + (thinking + text) * output) / 1e6
}

function chunksOf(service: ChatService, body: JsonObject, counts: Counts, finish: string): readonly JsonObject[] {
  const { chunk = {}, choice = {}, usageIn, thinkingIn } = service
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_763_000_000, model: String(body.model) }
  const write = (delta: JsonObject, more: JsonObject = {}, beside: JsonObject = {}): JsonObject => ({
    ...head,
    ...chunk,
    choices: [{ index: 0, delta, finish_reason: null, ...choice, ...more }],
    ...beside,
  })
  const asked = (body.stream_options as JsonObject | undefined)?.include_usage === true
  const usage = service.usage(counts)
  const withLast = usageIn === "last choice" || usageIn === "both, when asked"
  const alone = usageIn === "chunk" || (asked && usageIn !== "last choice")
  return [
    ...(service.first ? [{ ...head, ...service.first }] : []),
    write({ role: "assistant", content: "" }),
    ...(thinkingIn && counts.thinking > 0 ? [write({ [thinkingIn]: "The capital is known. " })] : []),
    ...pieces.slice(0, counts.text).map((content) => write({ content })),
    write({}, { finish_reason: finish }, { ...service.lastChunk?.(counts), ...(withLast && { usage }) }),
    ...(alone ? [{ ...head, ...chunk, choices: [], usage }] : []),
  ]
}

/** OpenAI's counts, which most services write. */
export function openaiUsage({ prompt, cached, thinking, text }: Counts): JsonObject {
  const completion = thinking + text
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: thinking },
  }
}

/** Three counts and no more. */
export function plainUsage({ prompt, thinking, text }: Counts): JsonObject {
  return { prompt_tokens: prompt, completion_tokens: thinking + text, total_tokens: prompt + thinking + text }
}

/** OpenAI's error body, which most services write. */
export function openaiError({
  message,
  type = "invalid_request_error",
  param = null,
  code = null,
}: Refusal): JsonValue {
  return { error: { message, type, param, code } }
}
