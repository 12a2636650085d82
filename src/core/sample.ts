import type { CopyOf } from "./copy-of.ts"
import type { JsonObject, JsonValue } from "./json.ts"
import type { ChatMessage, ToolCall } from "./message.ts"

/** What figures are split, clustered and paired by. @public */
export interface SampleSplit {
  /** The group that fairness figures are split by. */
  readonly group?: string
  /** Samples of one cluster are not independent (several questions on one passage); errors are clustered by it. */
  readonly cluster?: string
  /** The sample must not break: no candidate may get it wrong where the baseline gets it right. */
  readonly critical?: boolean
  /** Where the sample is a changed copy of another one of its data set. */
  readonly copyOf?: CopyOf
}

/** One turn of the user in a conversation that is replayed against each variant. @public */
export interface SampleTurn {
  /** What the user says. Of the first turn the sample's prompt is sent instead. */
  readonly content: string
  /** Correct answers to this turn; any number, also none. */
  readonly references: readonly string[]
}

/**
 * One item of a data set: what is asked, and what is known about a good answer. Empty lists mean "not given", unless
 * `empty` names the field.
 * @public
 */
export interface Sample extends SampleSplit {
  /** Unique within its data set. */
  readonly id: string
  /** A text, or the turns of a conversation. `null` for foreign outputs that come without their input. */
  readonly input: string | readonly ChatMessage[] | null
  /** All turns of the user, where the sample is a conversation: each is sent when the one before it is answered. */
  readonly turns?: readonly SampleTurn[]
  /** Correct answers; any number, also none. Of a conversation: to its last turn. */
  readonly references: readonly string[]
  /** Passages that the answer must be based on. */
  readonly context: readonly string[]
  /** Options of a multiple-choice question, in order (A, B, C …). */
  readonly choices: readonly string[]
  readonly expectedTools: readonly ToolCall[]
  /** Fields that the row states as empty lists: a retrieval that brought nothing, an answer that is to call no tool. */
  readonly empty?: readonly EmptyField[]
  /** The true class, where a figure needs one (group fairness, confusion tables). */
  readonly label?: JsonValue
  /** Every other field of the row, as it was read. */
  readonly metadata: JsonObject
}

/** A field of a sample of which an empty list says something. @public */
export type EmptyField = "context" | "expectedTools"

/** Whether a field is stated as an empty list, and not absent. @experimental */
export function statesEmpty(sample: Sample, field: EmptyField): boolean {
  return sample[field].length === 0 && (sample.empty?.includes(field) ?? false)
}

/** The input as one text: the text itself, or the last user turn. Empty when there is no input. @public */
export function inputText(sample: Sample): string {
  if (sample.input === null) return ""
  if (typeof sample.input === "string") return sample.input
  return sample.input.findLast((message) => message.role === "user")?.content ?? ""
}

/** The splits of a sample, a row or an answer alone. @public */
export function splitOf({ group, cluster, critical, copyOf }: SampleSplit): SampleSplit {
  return {
    ...(group !== undefined && { group }),
    ...(cluster !== undefined && { cluster }),
    ...(critical === true && { critical }),
    ...(copyOf !== undefined && { copyOf }),
  }
}
