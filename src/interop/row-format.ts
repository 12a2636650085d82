import type { SkippedRow } from "../core/dataset.ts"
import type { ForeignLog, ForeignRecord, UnaskedCall } from "../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../core/json.ts"
import type { Sample } from "../core/sample.ts"
import { type AnswerFigures, foreignAnswer } from "./foreign-answer.ts"
import { foreignSample } from "./foreign-sample.ts"
import { createOccasions, type Occasions } from "./occasions.ts"
import type { RowFile } from "./row-file.ts"

/** What a tool's rows are like, whatever kind of file they stand in. */
export interface RowFormat {
  is(row: JsonObject): boolean
  open(file: RowFile): ForeignLog | Promise<ForeignLog>
}

/** What a reader makes of a row. */
export type RecordOf = (
  row: JsonObject,
  where: string,
  occasions: Occasions,
) => ForeignRecord | SkippedRow | readonly (ForeignRecord | SkippedRow)[]

/** A log whose records are made of one row each. */
export function rowsLog(
  { file, rows }: RowFile,
  facts: Pick<ForeignLog, "tool"> & Partial<ForeignLog>,
  recordOf: RecordOf,
): ForeignLog {
  return {
    file,
    dataset: facts.tool,
    startedAt: null,
    metrics: new Map(),
    notes: [],
    hasScores: true,
    ...facts,
    async *records() {
      const occasions = createOccasions()
      for await (const read of rows()) {
        const made = "row" in read ? recordOf(read.row, read.where, occasions) : read
        if (Array.isArray(made)) yield* made as readonly (ForeignRecord | SkippedRow)[]
        else yield made as ForeignRecord | SkippedRow
      }
    },
  }
}

/** What a row says, in evalkit's terms. */
export type RowFacts = Partial<Omit<Sample, "input">> &
  Partial<AnswerFigures> &
  Pick<ForeignRecord, "scores" | "startedAtMs" | "isCached"> & {
    readonly provider?: string | undefined
    readonly variant?: string | undefined
    /** What was asked; undefined: the row does not say, and is left out. */
    readonly input: Sample["input"] | undefined
    /** Why the question is not all that was asked; a row that is known by its question alone is then left out. */
    readonly unread?: string
    /** Of a row without a question: which field lacks it, and what to do. */
    readonly unasked?: Pick<SkippedRow, "field" | "reason">
  }

/**
 * The record of a row. A sample without an id is known by its question, its choices and its references; where it comes again, it was asked
 * again.
 *
 * @param tool its name as its makers write it
 */
export function rowRecord(
  facts: RowFacts,
  tool: string,
  where: string,
  occasions: Occasions,
): ForeignRecord | UnaskedCall {
  const { variant = "model", input, scores, references = [], context = [], choices = [], metadata = {} } = facts
  const { startedAtMs, provider, unread, unasked = { field: null, reason: "the row has no question" } } = facts
  const answer = foreignAnswer({ ...facts, text: facts.text ?? "", isUnkept: input === undefined }, tool)
  const call = {
    variant,
    answer,
    ...(startedAtMs !== undefined && { startedAtMs }),
    ...(provider !== undefined && { provider }),
    ...(facts.isCached && { isCached: true }),
  }
  if (input === undefined) return { where, ...unasked, call }
  if (unread !== undefined && facts.id === undefined) return { where, field: null, reason: unread, call }
  const id =
    facts.id === undefined
      ? contentHash([input as JsonValue, [...choices], [...references]], 16)
      : occasions.idOf(facts.id, input as JsonValue)
  const { group, cluster } = facts
  const sample = foreignSample({
    id,
    input,
    references,
    context,
    choices,
    metadata,
    ...(cluster !== undefined && { cluster }),
    ...(group !== undefined && { group }),
  })
  return { ...call, sample, repeat: occasions.next(variant, id), scores, where }
}
