import type { SkippedRow } from "../src/core/dataset.ts"
import { UsageError } from "../src/core/errors.ts"
import type { JsonObject } from "../src/core/json.ts"

/** A row as it was read, and its place. @public */
export interface RawRow {
  readonly row: JsonObject
  /** `file:line`, or `file#row` where a format has no lines. */
  readonly where: string
}

/** What a reader gives: rows, and rows that could not be read but after which reading can continue. */
export type ReadRow = RawRow | SkippedRow

/** Whether a row could be read. */
export function isRow(read: ReadRow): read is RawRow {
  return "row" in read
}

/** The error of a bad row when rows may not be skipped. `remedy`: what else a user can do than to correct the row. */
export function badRowError(bad: SkippedRow, remedy = "take it out of the file"): UsageError {
  return new UsageError(bad.field === null ? bad.reason : `field "${bad.field}": ${bad.reason}`, {
    code: "bad_row",
    where: bad.where,
    hint: `correct the row, or ${remedy}`,
  })
}
