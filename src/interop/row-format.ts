import type { SkippedRow } from "../core/dataset.ts"
import type { ForeignLog, ForeignRecord } from "../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../core/json.ts"
import type { Sample } from "../core/sample.ts"
import { firstBytes } from "./beginning.ts"
import { listOf, objectOf } from "./fields.ts"
import { type AnswerFigures, foreignAnswer } from "./foreign-answer.ts"
import { foreignSample } from "./foreign-sample.ts"
import { jsonDocument, jsonLines } from "./json-file.ts"
import { createOccasions, type Occasions } from "./occasions.ts"

/** A row of a file, and where it stands. */
export interface PlacedRow {
  readonly row: JsonObject
  readonly where: string
}

/** Reads the rows of a table (Parquet, CSV), one at a time; given by the caller, whose catalogue of data sets has the readers. */
export type RowReader = (path: string, file: string) => AsyncIterable<PlacedRow | SkippedRow>

/** Readers of tables. Without them, tables are not recognised. */
export interface RowReaders {
  readonly parquet: RowReader
  readonly csv: RowReader
}

/** A file of rows: lines, a list, a table, or a list within a document. */
export interface RowFile {
  /** Absolute. */
  readonly path: string
  /** The path as a person gave it. */
  readonly given: string
  /** A new pass over the rows, and over what could not be read. */
  rows(): AsyncIterable<PlacedRow | SkippedRow>
}

/** What a tool's rows are like, whatever kind of file they stand in. */
export interface RowFormat {
  is(row: JsonObject): boolean
  open(file: RowFile): ForeignLog | Promise<ForeignLog>
}

/** A file of lines, or one list. Memory: a line, or the rows of the list as texts. */
export async function rowFile(path: string, given: string): Promise<RowFile> {
  const start = (await firstBytes(path)).toString("utf8").replace(/^\uFEFF/, "")
  if (start.trimStart().startsWith("[")) return listedRows(listOf(await jsonDocument(path, given)), path, given)
  return { path, given, rows: () => lineRows(path, given) }
}

/** The first row that could be read; without members where there is none. */
export async function firstRow({ rows }: RowFile): Promise<JsonObject> {
  for await (const read of rows()) if ("row" in read) return read.row
  return {}
}

async function* lineRows(path: string, given: string): AsyncGenerator<PlacedRow | SkippedRow> {
  for await (const line of jsonLines(path, given))
    if (!("value" in line)) yield line
    else yield placed(line.value, line.where)
}

/**
 * The rows of a list. A log is read several times, and two are read side by side: as texts they take a fraction of what their objects do.
 *
 * @param at what the list is called within its file
 */
export function listedRows(values: readonly JsonValue[], path: string, given: string, at = ""): RowFile {
  const texts = values.map((value) => JSON.stringify(value))
  return {
    path,
    given,
    async *rows() {
      for (const [i, text] of texts.entries()) yield placed(JSON.parse(text) as JsonValue, `${given}#${at}${i}`)
    },
  }
}

function placed(value: JsonValue, where: string): PlacedRow | SkippedRow {
  const row = objectOf(value)
  return row ? { row, where } : { where, field: null, reason: "the row is no object" }
}

/** What a reader makes of a row. */
export type RecordOf = (
  row: JsonObject,
  where: string,
  occasions: Occasions,
) => ForeignRecord | SkippedRow | readonly (ForeignRecord | SkippedRow)[]

/** A log whose records are made of one row each. */
export function rowsLog(
  { given, rows }: RowFile,
  facts: Pick<ForeignLog, "tool"> & Partial<ForeignLog>,
  recordOf: RecordOf,
): ForeignLog {
  return {
    ...{ file: given, dataset: facts.tool, startedAt: null, metrics: new Map(), notes: [], hasScores: true, ...facts },
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
  Pick<ForeignRecord, "scores"> & {
    readonly variant?: string | undefined
    /** What was asked; undefined: the row does not say, and is left out. */
    readonly input: Sample["input"] | undefined
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
): ForeignRecord | SkippedRow {
  const { variant = "model", input, scores, references = [], context = [], choices = [], metadata = {} } = facts
  if (input === undefined) return { where, field: null, reason: "the row has no question" }
  const id = facts.id ?? contentHash([input as JsonValue, [...choices], [...references]], 16)
  const { group, cluster } = facts
  const sample = foreignSample({
    ...{ id, input, references, context, choices, metadata },
    ...(cluster !== undefined && { cluster }),
    ...(group !== undefined && { group }),
  })
  const answer = foreignAnswer({ ...facts, text: facts.text ?? "" }, tool)
  return { variant, sample, repeat: occasions.next(variant, id), answer, scores, where }
}
