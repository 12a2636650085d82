import { createRandom } from "../../../src/core/random.ts"

/** What a generated stream says, by its own log: readers are held against this. */
export interface Specimen {
  readonly words: readonly string[]
  readonly thoughts: readonly string[]
  readonly tool: { readonly id: string; readonly name: string; readonly arguments: { readonly city: string } } | null
  /** Why it ended, in some service's word; null: it does not say. */
  readonly end: { readonly word: string; readonly meaning: EndMeaning } | null
  /** Whether the interface's own mark of the end comes. */
  readonly isMarked: boolean
  readonly counts: Counts | null
  readonly error: StreamError | null
  /** The body ends inside an event, behind so many words; null: it does not. */
  readonly cutAfter: number | null
  readonly wire: Wire
  /** Draws the forms in which an interface writes it. */
  readonly draw: Draw
}

export type EndMeaning = "ok" | "length" | "refused" | "malformed" | "stream_error" | "truncated"

export interface Counts {
  readonly prompt: number
  readonly cached: number
  /** With those of thinking. */
  readonly completion: number
  readonly reasoning: number
  /** Tokens of each word. */
  readonly ofWords: readonly number[]
  /** `zero`: none of the answer's are stated; `zeroAtEnd`: good ones, and nothing but 0 behind them. */
  readonly form: "good" | "zero" | "zeroAtEnd"
}

export interface StreamError {
  readonly message: string
  readonly isWait: boolean
  readonly after: number
}

/** How bytes carry the events. */
export interface Wire {
  readonly newline: "\n" | "\r\n" | "\r"
  readonly space: "" | " "
  readonly beats: boolean
  readonly mark: boolean
  readonly blankLines: number
  readonly lastBlank: boolean
  /** Events of a read, or pieces of so many bytes. */
  readonly reads: { readonly events: number } | { readonly bytes: number }
  /** Each event is a line of JSON, as Ollama streams. */
  readonly isLines: boolean
  readonly encoding: "gzip" | "gzip without a header" | "br" | "deflate" | null
}

export interface Draw {
  chance(share: number): boolean
  int(from: number, to: number): number
  of<Value>(values: readonly Value[]): Value
}

/** The n-th stream of a seed. */
export function specimen(seed: number, index: number): Specimen {
  const random = createRandom(`zoo/${seed}/${index}`)
  const draw: Draw = {
    chance: (share) => random.next() < share,
    int: (from, to) => from + Math.floor(random.next() * (to - from + 1)),
    of: (values) => values[Math.floor(random.next() * values.length)] as never,
  }
  const words = Array.from({ length: draw.int(1, 12) }, (_, i) => `${i === 0 ? "" : " "}${draw.of(vocabulary)}`)
  const thoughts = draw.chance(0.3) ? Array.from({ length: draw.int(1, 5) }, () => draw.of(vocabulary)) : []
  const fate = draw.int(1, 100)
  const error = fate <= 14 ? errorOf(draw, words.length) : null
  const cutAfter = fate > 14 && fate <= 22 ? draw.int(0, words.length - 1) : null
  const meaning = draw.of(endMeanings)
  return {
    words,
    thoughts,
    tool: draw.chance(0.15)
      ? { id: `call_${index}`, name: "find", arguments: { city: draw.of(vocabulary.slice(0, 4)) } }
      : null,
    end: draw.chance(0.06) ? null : { meaning, word: draw.of(endWords[meaning]) },
    isMarked: draw.chance(0.8),
    counts: draw.chance(0.85) ? countsOf(draw, words, thoughts) : null,
    error,
    cutAfter,
    wire: wireOf(draw),
    draw,
  }
}

const vocabulary = [
  "Paris",
  "is",
  "the",
  "capital",
  "é",
  "😀",
  "東京",
  "[DONE]",
  "data: x",
  "a\nb",
  '"quoted"',
  "\u2028",
  "NaN",
]

const endMeanings: readonly EndMeaning[] = [
  ...Array.from({ length: 7 }, () => "ok" as const),
  ...(["length", "refused", "malformed", "stream_error", "truncated"] as const),
]

const endWords: Readonly<Record<EndMeaning, readonly string[]>> = {
  ok: ["stop", "STOP", "end_turn", "COMPLETE", "eos", "tool_calls", "stop_sequence", "FinishReason.STOP"],
  length: ["length", "max_tokens", "MAX_TOKENS", "maxTokens"],
  refused: ["content_filter", "SAFETY", "content_filter: RECITATION", "refusal"],
  malformed: ["MALFORMED_FUNCTION_CALL"],
  stream_error: ["abort", "insufficient_system_resource", "OTHER", "ERROR", "cancelled"],
  truncated: ["null", "FINISH_REASON_UNSPECIFIED", "unknown"],
}

function errorOf(draw: Draw, words: number): StreamError {
  const isWait = draw.chance(0.3)
  return { message: isWait ? "slow down" : "KV cache is full", isWait, after: draw.int(0, words) }
}

function countsOf(draw: Draw, words: readonly string[], thoughts: readonly string[]): Counts {
  const ofWords = words.map(() => draw.int(1, 4))
  const reasoning = thoughts.length === 0 ? 0 : thoughts.length * draw.int(1, 3)
  const prompt = draw.int(5, 900)
  return {
    prompt,
    cached: draw.chance(0.3) ? draw.int(1, prompt - 1) : 0,
    completion: ofWords.reduce((sum, tokens) => sum + tokens, reasoning),
    reasoning,
    ofWords,
    form: draw.of(["good", "good", "good", "good", "zero", "zeroAtEnd"]),
  }
}

function wireOf(draw: Draw): Wire {
  return {
    newline: draw.of(["\n", "\n", "\r\n", "\r"]),
    space: draw.of([" ", " ", ""]),
    beats: draw.chance(0.3),
    mark: draw.chance(0.1),
    blankLines: draw.chance(0.2) ? draw.int(1, 3) : 0,
    lastBlank: draw.chance(0.85),
    reads: draw.chance(0.3) ? { bytes: draw.int(1, 40) } : { events: draw.of([1, 1, 1, 2, 5, 1000]) },
    isLines: draw.chance(0.1),
    encoding: draw.chance(0.2) ? draw.of(["gzip", "gzip without a header", "br", "deflate"]) : null,
  }
}
