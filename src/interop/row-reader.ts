import type { SkippedRow } from "../core/dataset.ts"
import type { JsonObject } from "../core/json.ts"

/** Reads the rows of a table (Parquet, CSV), one at a time; given by the caller, whose catalogue of data sets has the readers. */
export type RowReader = (
  path: string,
  file: string,
) => AsyncIterable<{ readonly row: JsonObject; readonly where: string } | SkippedRow>

/** Readers of tables. Without them, tables are not recognised. */
export interface RowReaders {
  readonly parquet: RowReader
  readonly csv: RowReader
}
