import { readAnswer } from "../../../src/capture/read-answer.ts"
import { decodeExchange } from "../../../src/capture/stream/decode-body.ts"
import type { Answer } from "../../../src/core/generation.ts"
import { redactSecrets } from "../../../src/text/secrets.ts"
import type { Interface, Parts } from "./interfaces.ts"
import { type Specimen, specimen } from "./specimen.ts"
import { exchangeOf, type WrittenEvent } from "./wire.ts"

/** What a reader must say of a specimen, by the generator's log alone. */
interface Expected {
  readonly outcome: Answer["outcome"]
  readonly text: string
  readonly reasoning: string
  readonly failure?: string
  readonly tools?: readonly object[]
  readonly counts?: readonly (number | null)[]
  /** Tokens of each event with a word, where the stream states running counts. */
  readonly ofWords?: readonly (number | null)[]
}

const errorForms: readonly ((message: string, isWait: boolean) => WrittenEvent)[] = [
  (message, isWait) => ({ data: { error: { message, ...(isWait && { code: 429 }) } } }),
  (message, isWait) => ({ data: { object: "error", message, code: isWait ? 429 : 500 } }),
  (message, isWait) => ({
    data: { type: "error", error: { type: isWait ? "rate_limit_error" : "api_error", message } },
    name: "error",
  }),
  (message, isWait) => ({ data: { errors: [{ message, ...(isWait && { code: "429" }) }] } }),
  (message, isWait) => ({ data: { message, code: isWait ? "rate_limit_exceeded" : 50_001 } }),
  (message, isWait) => ({ data: { error: { message, ...(isWait && { code: 429 }) } }, isBare: true }),
  (message, isWait) => ({ data: { statusCode: isWait ? 429 : 500, msg: message } }),
  (message, isWait) => ({ data: { error: isWait ? "too_many_requests" : "engine_dead", message } }),
  (message, isWait) => ({ data: { [isWait ? "throttlingException" : "internalServerException"]: { message } } }),
  (message, isWait) => ({ data: { detail: { error: { message, status: isWait ? 429 : 503 } } } }),
]
const namelessForms: readonly ((message: string) => WrittenEvent)[] = [
  (message) => ({ data: { error: message } }),
  (message) => ({ data: message, name: "error" }),
  (message) => ({ data: { detail: message } }),
  (message) => ({ data: { success: false, message } }),
  (message) => ({ data: { errorMessage: message } }),
]

/** The differences between what an interface's reader says of the n-th stream of a seed and the generator's log; empty: none. */
export function differencesOf(api: Interface, seed: number, index: number): readonly string[] {
  const drawn = specimen(seed, index)
  const parts = api.write(drawn)
  const { events, shown } = eventsOf(parts, drawn)
  const exchange = decodeExchange(exchangeOf(events, drawn.cutAfter !== null, drawn.wire, drawn.draw))
  const context = { scheduledMs: 0, originMs: 0, promisedJson: false, transport: "t", redact: redactSecrets, wallMs: 0 }
  const answer = readAnswer(exchange, { ...context, read: api.read })
  const want = expectedOf(api, parts.isCounted ? drawn : { ...drawn, counts: null }, shown, parts.isRunning === true)
  const got: Expected = {
    outcome: answer.outcome,
    text: answer.text,
    reasoning: answer.reasoning,
    ...(want.failure !== undefined && { failure: answer.failure?.message ?? "" }),
    ...(want.tools && {
      tools: answer.toolCalls.map(({ id, name, arguments: input }) => ({ id, name, arguments: input })),
    }),
    ...(want.counts && { counts: countsOf(api, answer) }),
    ...(want.ofWords && {
      ofWords: answer.log.events.flatMap(({ kind, tokens }) => (kind === "content" && tokens !== null ? [tokens] : [])),
    }),
  }
  const isSame = JSON.stringify(got) === JSON.stringify(want)
  return isSame
    ? []
    : [`${api.name}, seed ${seed}, stream ${index}: ${JSON.stringify(got)} for ${JSON.stringify(want)}`]
}

function countsOf(api: Interface, { usage }: Answer): readonly (number | null)[] {
  return [
    usage.promptTokens,
    usage.completionTokens,
    ...(api.states.reasoning ? [usage.reasoningTokens ?? 0] : []),
    ...(api.states.cached ? [usage.cachedPromptTokens ?? 0] : []),
  ]
}

/** The events up to where the stream breaks, and how many words are in them. */
function eventsOf({ opening, words, closing }: Parts, { error, cutAfter, draw, words: all }: Specimen) {
  if (cutAfter !== null) {
    const kept = Math.min(cutAfter, words.length - 1)
    return { events: [...opening, ...words.slice(0, kept + 1)], shown: wordsIn(words, kept, all.length) }
  }
  if (error === null) return { events: [...opening, ...words, ...closing], shown: all.length }
  const kept = Math.min(error.after, words.length)
  const forms = error.isWait ? errorForms : [...errorForms, ...namelessForms]
  const failing = draw.of(forms as readonly ((message: string, isWait: boolean) => WrittenEvent)[])(
    error.message,
    error.isWait,
  )
  const after = draw.chance(0.3) ? [{ data: "[DONE]" }] : []
  return { events: [...opening, ...words.slice(0, kept), failing, ...after], shown: wordsIn(words, kept, all.length) }
}

/** Of events that each hold one word, or two. */
function wordsIn(events: readonly WrittenEvent[], kept: number, all: number): number {
  return events.length === all ? kept : Math.min(all, 2 * kept)
}

function expectedOf(
  api: Interface,
  { words, thoughts, tool, end, isMarked, counts, error, cutAfter }: Specimen,
  shown: number,
  isRunning: boolean,
): Expected {
  const said = { text: words.slice(0, shown).join(""), reasoning: thoughts.join("") }
  if (error) return { outcome: error.isWait ? "rate_limited" : "stream_error", ...said, failure: error.message }
  if (cutAfter !== null) return { outcome: "truncated", ...said }
  const isOver = api.ends === "with the body" || (api.ends === "with a mark" && isMarked)
  const outcome = end?.meaning ?? (isOver ? "ok" : "truncated")
  return {
    outcome,
    ...said,
    ...(api.hasTools && { tools: tool ? [tool] : [] }),
    ...(counts && { counts: expectedCounts(api, counts) }),
    ...(counts?.form === "good" &&
      isRunning &&
      words.length > 1 &&
      !thoughts.length &&
      !tool && { ofWords: counts.ofWords }),
  }
}

function expectedCounts(
  api: Interface,
  { prompt, cached, completion, reasoning, form }: NonNullable<Specimen["counts"]>,
) {
  const isZero = form === "zero"
  return [
    prompt,
    isZero ? null : completion,
    ...(api.states.reasoning ? [isZero ? 0 : reasoning] : []),
    ...(api.states.cached ? [cached] : []),
  ]
}
