import { readFormat } from "../../../datasets/read-rows.ts"
import type { RowReaders } from "../../interop/row-file.ts"

/** The readers of data sets, as the recognition of other tools' tables asks for them. */
export const rowReaders: RowReaders = {
  parquet: (path, file) => readFormat(path, file, "parquet", {}),
  csv: (path, file) => readFormat(path, file, "csv", {}),
  tsv: (path, file) => readFormat(path, file, "tsv", {}),
}
