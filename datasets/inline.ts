import { resolve } from "node:path"
import type { Dataset } from "../src/core/dataset.ts"
import { messageOf } from "../src/core/errors.ts"
import type { JsonObject } from "../src/core/json.ts"
import { isObject } from "../src/core/json-members.ts"
import { checkOptions } from "../src/core/options.ts"
import type { ReadRow } from "./bad-row.ts"
import { fromRows } from "./from-rows.ts"
import { type DatasetOptions, datasetOptions } from "./options.ts"

/** Options of {@link inline}. @public */
export type InlineOptions = Omit<DatasetOptions, "format" | "limits" | "maxLineBytes">

const { format: _format, limits: _limits, maxLineBytes: _maxLineBytes, ...inlineOptions } = datasetOptions

/**
 * A data set whose rows are in the config itself.
 *
 * @example inline([{ input: "What is the capital of France?", reference: "Paris" }])
 * @public
 */
export function inline(rows: readonly JsonObject[], options: InlineOptions = {}): Dataset {
  checkOptions("inline", options, inlineOptions)
  return fromRows(
    {
      name: "inline",
      shown: "inline",
      folder: () => resolve(options.baseDirectory ?? "."),
      resolveFrom: (directory) => inline(rows, { baseDirectory: directory, ...options }),
      async *rows() {
        for (const [index, row] of rows.entries())
          yield isObject(row)
            ? asJson(row, `inline#${index + 1}`)
            : { where: `inline#${index + 1}`, field: null, reason: "expected an object" }
      },
    },
    options,
  )
}

/** The row as a file would hold it. A value that no file can hold is refused, but for `undefined`, which is no value. */
function asJson(row: JsonObject, where: string): ReadRow {
  const odd: { readonly field: string; readonly found: string }[] = []
  try {
    const text = JSON.stringify(row, (field, value: unknown) => {
      const kind = typeof value
      if (kind === "function" || kind === "symbol" || kind === "bigint") odd.push({ field, found: `a ${kind}` })
      else if (kind === "number" && !Number.isFinite(value)) odd.push({ field, found: String(value) })
      else return value
      return null
    })
    const [first] = odd
    if (first) return { where, field: first.field, reason: `expected JSON, got ${first.found}` }
    return { row: JSON.parse(text) as JsonObject, where }
  } catch (error) {
    return { where, field: null, reason: `it is no JSON: ${messageOf(error).split("\n", 1)[0]}` }
  }
}
