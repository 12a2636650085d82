import type { JsonObject } from "../../src/core/json.ts"
import type { RawRow } from "../bad-row.ts"
import { type ColumnPair, columnsByField, columnValue } from "./column-pairs.ts"

/**
 * Rows with fields filled from columns of other names: a copy of each named column (or of a value inside it, `metrics.bleu`)
 * under its field's name. The columns stay; a field that the row had is replaced. A value that a later row lacks leaves the
 * field absent there.
 *
 * @param pairs fields and columns; which is which is found out by the first row
 * @throws UsageError when the first row lacks one of the columns, or a pair may be read both ways
 */
export async function* mappedRows(rows: AsyncIterable<RawRow>, pairs: readonly ColumnPair[]): AsyncGenerator<RawRow> {
  let columns: ReadonlyMap<string, string> | null = null
  for await (const { row, where } of rows) {
    columns ??= columnsByField(pairs, row, where)
    const mapped: Record<string, JsonObject[string]> = { ...row }
    for (const [field, column] of columns) {
      const value = columnValue(row, column)
      if (value !== undefined) mapped[field] = value
      else delete mapped[field]
    }
    yield { row: mapped, where }
  }
}
