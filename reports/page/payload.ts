import type { Audience } from "../../src/core/report/report-renderer.ts"

/** What the page knows of itself, beside the report. */
export interface PageFacts {
  /** Samples and answers of the run, and how many of them are inside the file. */
  readonly samples: number
  readonly embeddedSamples: number
  readonly answers: number
  readonly embeddedAnswers: number
  /** For whom the page is: without or with its details open; absent: they are folded. */
  readonly audience?: Audience
  /** How texts and rows were cut, as sentences. */
  readonly rules: readonly string[]
  /** Where a word is explained at the end of the page, by what the page calls it; absent: nowhere. */
  readonly anchors?: Readonly<Record<string, string>>
}

/** The numbers of all embedded answers, column by column: what the sample browser filters and sorts. */
export interface PageIndex {
  readonly sampleIds: readonly string[]
  readonly groups: readonly string[]
  /** Position in `groups` per sample; −1 without a group. */
  readonly groupOf: readonly number[]
  readonly variants: readonly string[]
  readonly outcomes: readonly string[]
  readonly metrics: readonly string[]
  /** First sample of every text chunk. */
  readonly chunkStarts: readonly number[]
  readonly answers: {
    readonly sample: readonly number[]
    readonly variant: readonly number[]
    readonly outcome: readonly number[]
    readonly ttftMs: readonly (number | null)[]
    readonly e2eMs: readonly (number | null)[]
    readonly costUsd: readonly (number | null)[]
    readonly tokens: readonly (number | null)[]
    /** What is marked in each answer, as bits: see {@link answerMarks}. */
    readonly marks: readonly number[]
    /** Per metric, one value per answer. */
    readonly values: readonly (readonly (number | null)[])[]
  }
}

/** Bits of `marks`: an unsupported claim, personal data, judges who disagree. */
export const answerMarks = { unsupported: 1, leak: 2, disputed: 4, surprising: 8 } as const

/** The texts of one sample, in a chunk. */
export interface SampleText {
  readonly input: readonly { readonly role: string; readonly text: string; readonly media?: readonly ShownMedia[] }[]
  readonly references: readonly string[]
  readonly context: readonly string[]
  readonly answers: readonly AnswerText[]
  /** Whether any of its texts is longer than the page keeps; absent where none is. */
  readonly isCut?: boolean
  /** Where the whole texts of a sample are that was cut, relative to the page; absent where they stand in no file beside it. */
  readonly whole?: string
}

/** A picture or a recording of a turn: a line that says what it is, and the id of the block that holds the picture where it is small. */
export interface ShownMedia {
  readonly label: string
  readonly block?: string
  readonly mediaType?: string
}

/** The texts of one answer; what it does not have is left out. */
export interface AnswerText {
  readonly variant: number
  readonly repeat: number
  readonly source: string
  readonly text: string
  readonly reasoning?: string
  readonly tools?: string
  readonly failure?: string
  readonly finishReason?: string
  readonly retries?: number
  /** Milliseconds by stage of an application. */
  readonly stages?: readonly (readonly [string, number])[]
  /** A conversation or a loop over tools: who, what it was, its text, and when it began and ended in milliseconds. */
  readonly thread?: readonly (readonly [
    who: "user" | "model" | "tool" | "summary",
    label: string,
    text: string,
    startMs: number | null,
    endMs: number | null,
  ])[]
  /** The passages that each stage of a pipeline had at its end, how many there were, and whether the gold ones were first gone there. */
  readonly stagePassages?: readonly (readonly [
    stage: string,
    passages: readonly string[],
    total: number,
    isLost: boolean,
  ])[]
  /** Passages that the application retrieved. */
  readonly passages?: readonly string[]
  /** What else it returned, as JSON. */
  readonly returned?: string
  /** Reason per metric, where there is one. */
  readonly reasons?: Readonly<Record<string, string>>
  /** Marked passages of `text`: start, length, position of the metric, reason. */
  readonly highlights?: readonly (readonly [number, number, number, string])[]
  /** Tokens with their natural-log probabilities. */
  readonly logprobs?: readonly (readonly [string, number])[]
  /** Arrivals in milliseconds since the request was sent, with their kind. */
  readonly events?: readonly (readonly [number, string])[]
}

/** Ids of the data blocks inside the file. */
export const blockIds = { report: "evalkit-report", facts: "evalkit-facts", index: "evalkit-index" } as const

/** Class of the text chunks, in order. */
export const chunkClass = "evalkit-chunk"

/** Id of the block that holds a picture. */
export function pictureId(sha256: string): string {
  return `evalkit-picture-${sha256.slice(0, 24)}`
}
