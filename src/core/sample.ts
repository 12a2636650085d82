import type { CopyOf } from "./copy-of.ts"
import type { JsonObject, JsonValue } from "./json.ts"
import type { ChatMessage, ToolCall } from "./message.ts"

/** What figures are split, clustered and paired by. @public */
export interface SampleSplit {
  /** The group that fairness figures are split by. */
  readonly group?: string
  /** Samples of one cluster are not independent (several questions on one passage); errors are clustered by it. */
  readonly cluster?: string
  /** Where the sample is a changed copy of another one of its data set. */
  readonly copyOf?: CopyOf
}

/**
 * One item of a data set: what is asked, and what is known about a good answer. Empty lists mean "not given".
 * @public
 */
export interface Sample extends SampleSplit {
  /** Unique within its data set. */
  readonly id: string
  /** A text, or the turns of a conversation. `null` for foreign outputs that come without their input. */
  readonly input: string | readonly ChatMessage[] | null
  /** Correct answers; any number, also none. */
  readonly references: readonly string[]
  /** Passages that the answer must be based on. */
  readonly context: readonly string[]
  /** Options of a multiple-choice question, in order (A, B, C …). */
  readonly choices: readonly string[]
  readonly expectedTools: readonly ToolCall[]
  /** The true class, where a figure needs one (group fairness, confusion tables). */
  readonly label?: JsonValue
  /** Every other field of the row, as it was read. */
  readonly metadata: JsonObject
}

/** The input as one text: the text itself, or the last user turn. Empty when there is no input. @public */
export function inputText(sample: Sample): string {
  if (sample.input === null) return ""
  if (typeof sample.input === "string") return sample.input
  return sample.input.findLast((message) => message.role === "user")?.content ?? ""
}

/** The splits of a sample, a row or an answer alone. @public */
export function splitOf({ group, cluster, copyOf }: SampleSplit): SampleSplit {
  return {
    ...(group !== undefined && { group }),
    ...(cluster !== undefined && { cluster }),
    ...(copyOf !== undefined && { copyOf }),
  }
}
