import { UsageError } from "../src/core/errors.ts"
import type { JsonObject } from "../src/core/json.ts"
import type { RawRow } from "./bad-row.ts"
import { atPath } from "./fields.ts"

/**
 * Rows with fields filled from columns of other names: a copy of each named column (or of a value inside it, `metrics.bleu`)
 * under its field's name. The columns stay; a field that the row had is replaced. A value that a later row lacks leaves the
 * field absent there.
 *
 * @param columns column by field
 * @throws UsageError when the first row lacks one of the columns
 */
export async function* mappedRows(
  rows: AsyncIterable<RawRow>,
  columns: ReadonlyMap<string, string>,
): AsyncGenerator<RawRow> {
  let isFirst = true
  for await (const { row, where } of rows) {
    const mapped: Record<string, JsonObject[string]> = { ...row }
    for (const [field, column] of columns) {
      const value = Object.hasOwn(row, column) ? row[column] : atPath(row, column)
      if (value !== undefined) mapped[field] = value
      else if (isFirst)
        throw new UsageError(`the row has no "${column}", only ${Object.keys(row).slice(0, 12).join(", ")}`, {
          code: "bad_row",
          where,
          hint: `--map ${field}=COLUMN names a column of the file`,
        })
      else delete mapped[field]
    }
    isFirst = false
    yield { row: mapped, where }
  }
}
