import { resolve } from "node:path"
import type { Dataset } from "../src/core/dataset.ts"
import { messageOf, UsageError } from "../src/core/errors.ts"
import type { JsonObject } from "../src/core/json.ts"
import { isObject } from "../src/core/json-members.ts"
import { checkOptions } from "../src/core/options.ts"
import type { ReadRow } from "./bad-row.ts"
import { fromRows } from "./from-rows.ts"
import type { DatasetOptions } from "./options.ts"

/** Options of {@link inline}. @public */
export type InlineOptions = Omit<DatasetOptions, "format" | "limits" | "maxLineBytes">

/**
 * Rows that code has or makes: a list, a generator, or a function that gives either. A function is called for every pass over the data;
 * what a generator gives is kept in memory, since it can be read but once. @public
 */
export type Rows =
  | readonly JsonObject[]
  | Iterable<JsonObject>
  | AsyncIterable<JsonObject>
  | (() => Iterable<JsonObject> | AsyncIterable<JsonObject>)

/**
 * A data set whose rows are in the config itself, or come from code. `dataset.from` is the same.
 *
 * @throws UsageError for rows that are no list, generator or function
 * @example inline([{ input: "What is the capital of France?", reference: "Paris" }])
 * @example dataset.from(async function* () { for await (const row of database.query(sql)) yield { input: row.question } })
 * @public
 */
export function inline(rows: Rows, options: InlineOptions = {}): Dataset {
  checkOptions("inline", options)
  const pass = passesOver(rows)
  return fromRows(
    {
      name: "inline",
      shown: "inline",
      folder: () => resolve(options.baseDirectory ?? "."),
      resolveFrom: (directory) => inline(rows, { baseDirectory: directory, ...options }),
      async *rows() {
        let number = 0
        for await (const row of pass()) {
          const where = `inline#${++number}`
          yield isObject(row) ? asJson(row, where) : { where, field: null, reason: "expected an object" }
        }
      },
    },
    options,
  )
}

/** How each pass begins. */
function passesOver(rows: Rows): () => Iterable<JsonObject> | AsyncIterable<JsonObject> {
  if (typeof rows === "function") return () => checked(rows())
  const source = checked(rows)
  if (Symbol.asyncIterator in source) return replayed(source[Symbol.asyncIterator]())
  const iterator = source[Symbol.iterator]()
  // A list begins anew each time; a generator is its own iterator.
  return (iterator as object) === source ? replayed(iterator) : () => source
}

function checked<Given extends Iterable<JsonObject> | AsyncIterable<JsonObject>>(rows: Given): Given {
  if (typeof rows === "object" && rows !== null && (Symbol.iterator in rows || Symbol.asyncIterator in rows))
    return rows
  throw new UsageError("expected rows: a list, a generator, or a function that gives either", {
    where: `inline(rows), got ${rows === null ? "null" : typeof rows}`,
  })
}

/** What can be read but once, kept as it is read. Where reading fails, it fails for every pass. */
function replayed(iterator: Iterator<JsonObject> | AsyncIterator<JsonObject>): () => AsyncIterable<JsonObject> {
  const kept: JsonObject[] = []
  let reading: Promise<boolean> | undefined
  const isMore = () => {
    reading ??= Promise.resolve(iterator.next()).then(({ done, value }) => {
      if (done) return false
      kept.push(value)
      reading = undefined
      return true
    })
    return reading
  }
  return async function* () {
    for (let at = 0; at < kept.length || (await isMore()); at++) yield kept[at] as JsonObject
  }
}

/** The row as a file would hold it. A value that no file can hold is refused, but for `undefined`, which is no value. */
function asJson(row: JsonObject, where: string): ReadRow {
  const odd: { readonly field: string; readonly value: string }[] = []
  try {
    const text = JSON.stringify(row, (field, value: unknown) => {
      const kind = typeof value
      if (kind === "function" || kind === "symbol" || kind === "bigint") odd.push({ field, value: `a ${kind}` })
      else if (kind === "number" && !Number.isFinite(value)) odd.push({ field, value: String(value) })
      else return value
      return null
    })
    const [first] = odd
    if (first) return { where, field: first.field, reason: `expected JSON, got ${first.value}` }
    return { row: JSON.parse(text) as JsonObject, where }
  } catch (error) {
    return { where, field: null, reason: `it is no JSON: ${messageOf(error).split("\n", 1)[0]}` }
  }
}
