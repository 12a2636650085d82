import type { Answer } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import { asMembers } from "../../core/json-members.ts"

/**
 * How long a server says that it worked on one answer. Durations in milliseconds of the server's own clock; null: not stated.
 * @experimental
 */
export interface ServerTimings {
  readonly source: "llama.cpp" | "Ollama" | "vLLM" | "Groq" | "SGLang" | "TGI"
  /** Before the prompt was begun. */
  readonly queueMs: number | null
  /** Loading the model for this request. */
  readonly loadMs: number | null
  /** Reading the prompt, without the part that its cache held. */
  readonly prefillMs: number | null
  /** From the first token of the answer to its last. */
  readonly decodeMs: number | null
  /** All of it. */
  readonly totalMs: number | null
  /** Tokens of the answer; null: not stated. */
  readonly decodeTokens: number | null
  /** Tokens that were guessed ahead, and those of them that were kept; null where nothing was guessed. */
  readonly draftTokens: number | null
  readonly acceptedTokens: number | null
}

/**
 * Reads the timings that came with an answer: `timings` of llama.cpp's server (and `evalkit serve`), the durations of Ollama's own
 * API (nanoseconds), `metrics` of vLLM, the times in Groq's `usage` (seconds), `meta_info` of SGLang (seconds), the headers of TGI. Null where there are none; a number that cannot be
 * true is taken as not stated.
 *
 * @example serverTimings({ timings: { prompt_ms: 20, predicted_n: 64, predicted_ms: 1260 } })?.decodeMs // 1260
 * @experimental
 */
export function serverTimings(server: Answer["server"]): ServerTimings | null {
  const facts = asMembers(server)
  if (facts === null) return null
  const timings = [
    readLlama(facts.timings),
    readOllama(facts.durations),
    readVllm(facts.metrics),
    readGroq(facts.times),
    readSglang(facts.meta_info),
    readTgi(facts.header_times),
  ]
  return timings.find((entry) => entry !== null && hasDuration(entry)) ?? null
}

/**
 * Tokens a second of one answer by its server's clock; null where it states none. The first token comes of reading the prompt, so that the
 * time is that of the others, as in the client's own figure.
 *
 * @example serverDecodeSpeed({ source: "llama.cpp", decodeTokens: 64, decodeMs: 1260, … }) // 50
 * @experimental
 */
export function serverDecodeSpeed(timings: ServerTimings): number | null {
  const { decodeTokens, decodeMs } = timings
  return decodeTokens === null || decodeMs === null || decodeTokens < 2 || decodeMs <= 0
    ? null
    : (decodeSteps(timings, decodeTokens) * 1000) / decodeMs
}

/**
 * Of how many tokens the decode time is: of all but the first one of each answer. Older versions of llama.cpp and Ollama's documentation divide all
 * of them by it; so does Groq, of whose time it is not known whether the first token is within it.
 *
 * @param tokens of all answers together
 */
export function decodeSteps({ source }: { readonly source: string }, tokens: number, answers = 1): number {
  return source === "Groq" ? tokens : tokens - answers
}

/**
 * What of the time to the first token a server does not account for: network, HTTP and the tokenizer, and the queue where it states none. Null
 * where it states no prefill. Below 0 where the two cannot both be true.
 *
 * @experimental
 */
export function restOfFirstToken(
  { queueMs, loadMs, prefillMs }: Pick<ServerTimings, "queueMs" | "loadMs" | "prefillMs">,
  ttftMs: number | null,
): number | null {
  return ttftMs === null || prefillMs === null ? null : ttftMs - prefillMs - (queueMs ?? 0) - (loadMs ?? 0)
}

const noTimings = {
  queueMs: null,
  loadMs: null,
  prefillMs: null,
  decodeMs: null,
  totalMs: null,
  decodeTokens: null,
  draftTokens: null,
  acceptedTokens: null,
}

function readLlama(value: JsonValue | undefined): ServerTimings | null {
  const timings = asMembers(value)
  if (timings === null) return null
  const prefillMs = duration(timings.prompt_ms)
  const decodeMs = duration(timings.predicted_ms)
  return {
    ...noTimings,
    source: "llama.cpp",
    prefillMs,
    decodeMs,
    totalMs: sum(prefillMs, decodeMs),
    decodeTokens: tokens(timings.predicted_n),
    draftTokens: tokens(timings.draft_n),
    acceptedTokens: tokens(timings.draft_n_accepted),
  }
}

function readOllama(value: JsonValue | undefined): ServerTimings | null {
  const durations = asMembers(value)
  if (durations === null) return null
  const ms = (name: string) => duration(durations[name], 1e-6)
  const [totalMs, loadMs, prefillMs, decodeMs] = [
    ms("total_duration"),
    ms("load_duration"),
    ms("prompt_eval_duration"),
    ms("eval_duration"),
  ]
  const workMs = sum(sum(loadMs, prefillMs), decodeMs)
  return {
    ...noTimings,
    source: "Ollama",
    queueMs: totalMs === null || workMs === null || workMs > totalMs ? null : totalMs - workMs,
    loadMs,
    prefillMs,
    decodeMs,
    totalMs,
    decodeTokens: tokens(durations.eval_count),
  }
}

/** Its time to the first token begins where the request is scheduled, after the queue. */
function readVllm(value: JsonValue | undefined): ServerTimings | null {
  const metrics = asMembers(value)
  if (metrics === null) return null
  const [queueMs, prefillMs, decodeMs] = [
    duration(metrics.queue_time_ms),
    duration(metrics.time_to_first_token_ms),
    duration(metrics.generation_time_ms),
  ]
  return { ...noTimings, source: "vLLM", queueMs, prefillMs, decodeMs, totalMs: sum(sum(queueMs, prefillMs), decodeMs) }
}

function readGroq(value: JsonValue | undefined): ServerTimings | null {
  const times = asMembers(value)
  if (times === null) return null
  const ms = (name: string) => duration(times[name], 1000)
  return {
    ...noTimings,
    source: "Groq",
    queueMs: ms("queue_time"),
    prefillMs: ms("prompt_time"),
    decodeMs: ms("completion_time"),
    totalMs: ms("total_time"),
    decodeTokens: tokens(times.completion_tokens),
  }
}

/** Its two stamps are of one clock; the inference is both phases. */
function readSglang(value: JsonValue | undefined): ServerTimings | null {
  const info = asMembers(value)
  if (info === null) return null
  const ms = (name: string) => duration(info[name], 1000)
  const [inferenceMs, prefilled, decoded] = [ms("inference_time"), info.prefill_finished_ts, info.decode_finished_ts]
  const decodeMs =
    typeof prefilled === "number" && typeof decoded === "number" ? duration(decoded - prefilled, 1000) : null
  const isInside = inferenceMs !== null && decodeMs !== null && decodeMs <= inferenceMs
  return {
    ...noTimings,
    source: "SGLang",
    queueMs: ms("queue_time"),
    prefillMs: isInside ? inferenceMs - decodeMs : null,
    decodeMs,
    totalMs: ms("e2e_latency"),
    decodeTokens: tokens(info.completion_tokens),
  }
}

/** It states both phases together, as inference. */
function readTgi(value: JsonValue | undefined): ServerTimings | null {
  const times = asMembers(value)
  if (times === null) return null
  return {
    ...noTimings,
    source: "TGI",
    queueMs: duration(times.queue_time),
    totalMs: duration(times.total_time),
    decodeTokens: tokens(times.generated_tokens),
  }
}

function hasDuration({ prefillMs, decodeMs, totalMs }: ServerTimings): boolean {
  return prefillMs !== null || decodeMs !== null || totalMs !== null
}

/** A day: longer ones are no durations of one answer. */
const longestMs = 86_400_000
const maxTokens = 100_000_000

function duration(value: JsonValue | undefined, toMs = 1): number | null {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return null
  const ms = value * toMs
  return ms <= longestMs ? ms : null
}

function tokens(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxTokens ? value : null
}

/** A sum that is known where both parts are. */
export function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}
