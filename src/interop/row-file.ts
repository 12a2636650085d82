import { createReadStream } from "node:fs"
import type { SkippedRow } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import { JsonCutter, type JsonRow } from "../text/json-cutter.ts"
import { firstBytes } from "./beginning.ts"
import { objectOf } from "./fields.ts"
import { jsonDocument, jsonLines, jsonText, maxDocumentBytes, notJson, type PlacedValue } from "./json-file.ts"

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
  /** CSV whose columns are parted by tabs. */
  readonly tsv: RowReader
}

/** A file of rows: lines, a list, a table, or a list within a document. */
export interface RowFile {
  /** Absolute. */
  readonly path: string
  /** The path as a person gave it. */
  readonly file: string
  /** A new pass over the rows, and over what could not be read. */
  rows(): AsyncIterable<PlacedRow | SkippedRow>
}

/** Where documents hold their rows: the document itself, or lists in it by the names of the members that lead there. */
const rowLists = [
  ...["", "samples", "data", "events", "runs", "simulations", "details", "request_states", "resourceSpans"],
  ...["resource_spans", "results", "results/results", "results/table/body", "table/body"],
  ...["testCases", "conversationalTestCases", "test_results", "testResults"],
  ...["testRunData/testCases", "testRunData/conversationalTestCases", "log/entries"],
] as const

/** The path of a list of rows in a document. */
export type RowList = (typeof rowLists)[number]

/** A JSON document whose rows stay in the file until they are read. */
export interface JsonDocument {
  readonly path: string
  readonly file: string
  /** The document, with no more than the first rows of each list of rows. */
  readonly outline: JsonValue
  /** A new pass over the rows of lists, in their order. Memory: one row. @throws {UsageError} for a row that is no JSON */
  values(...lists: readonly RowList[]): AsyncIterable<PlacedValue>
  /** The same as a file of rows. */
  rows(...lists: readonly RowList[]): RowFile
}

/**
 * Opens a file that begins as a JSON document.
 *
 * @returns null where something follows the document, as in a file of lines
 * @throws {UsageError} for one that is damaged or cut off, and one whose rows, or the rest of it, are longer than half a gigabyte
 */
export async function openDocument(path: string, file: string): Promise<JsonDocument | null> {
  const cutter = newCutter()
  for await (const _ of cutRows(path, file, cutter)) if (cutter.hasMore) break
  if (cutter.hasMore) return null
  if (!cutter.isWhole) throw notJson(file)
  const outline = jsonText(cutter.outline, file)
  const document: Pick<JsonDocument, "values"> = {
    async *values(...lists) {
      for await (const rows of cutRows(path, file, newCutter()))
        for (const { list, name, text } of rows) {
          if (!lists.some((entry) => entry === list)) continue
          const where = `${file}#${list === "" ? "" : `${list}/`}${name}`
          yield { value: jsonText(text, where), where }
        }
    },
  }
  return {
    path,
    file,
    outline,
    ...document,
    rows: (...lists) => ({
      path,
      file,
      async *rows() {
        for await (const { value, where } of document.values(...lists)) yield locatedRow(value, where)
      },
    }),
  }
}

function newCutter(): JsonCutter {
  return new JsonCutter(new Set<string>(rowLists))
}

async function* cutRows(path: string, file: string, cutter: JsonCutter): AsyncGenerator<readonly JsonRow[]> {
  let isFirst = true
  for await (const text of createReadStream(path, { encoding: "utf8", highWaterMark: 2 ** 20 })) {
    yield cutter.cut(isFirst ? text.replace(/^\uFEFF/, "") : text)
    isFirst = false
    if (cutter.length > maxDocumentBytes)
      throw new UsageError("the file is too long to be read as one JSON document", {
        where: file,
        hint: `at most ${maxDocumentBytes / 2 ** 20} MB are read of a row, and of what stands beside the rows`,
      })
  }
}

/** What a file that begins with a brace is. */
export type BracedFile = { readonly document: JsonDocument } | { readonly firstLine: JsonObject }

/**
 * Opens a file that begins with a brace: a document, or lines.
 *
 * @param isKnown it looks like the document of a tool, and is to be read
 * @returns null for what is neither
 * @throws {UsageError} where it is known, and damaged or cut off
 */
export async function openBraced(path: string, file: string, isKnown: boolean): Promise<BracedFile | null> {
  try {
    const document = await openDocument(path, file)
    if (document) return { document }
    for await (const line of jsonLines(path, file)) {
      const firstLine = "value" in line ? objectOf(line.value) : undefined
      if (firstLine) return { firstLine }
      throw notJson(file)
    }
  } catch (error) {
    if (isKnown) throw error
  }
  return null
}

/** A file of lines, one list, or one row. Memory: a row. */
export async function rowFile(path: string, file: string): Promise<RowFile> {
  const isList = /^\uFEFF?\s*\[/.test((await firstBytes(path)).toString("utf8"))
  const document = await openDocument(path, file).catch((error: unknown) => {
    if (isList) throw error
    return null
  })
  if (Array.isArray(document?.outline)) return document.rows("")
  if (!document) return { path, file, rows: () => lineRows(path, file) }
  return {
    path,
    file,
    async *rows() {
      yield locatedRow(await jsonDocument(path, file), `${file}:1`)
    },
  }
}

/** The first row that could be read; without members where there is none. */
export async function firstRow({ rows }: RowFile): Promise<JsonObject> {
  for await (const read of rows()) if ("row" in read) return read.row
  return {}
}

async function* lineRows(path: string, file: string): AsyncGenerator<PlacedRow | SkippedRow> {
  for await (const line of jsonLines(path, file)) yield "value" in line ? locatedRow(line.value, line.where) : line
}

/** Rows that a reader made of others. */
export function madeRows(
  values: readonly JsonValue[],
  { path, file }: Pick<RowFile, "path" | "file">,
  at = "",
): RowFile {
  return {
    path,
    file,
    async *rows() {
      for (const [i, value] of values.entries()) yield locatedRow(value, `${file}#${at}${i}`)
    },
  }
}

/** A value as a row. */
export function locatedRow(value: JsonValue, where: string): PlacedRow | SkippedRow {
  const row = objectOf(value)
  return row ? { row, where } : { where, field: null, reason: "the row is no object" }
}
