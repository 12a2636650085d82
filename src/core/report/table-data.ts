import type { TableData } from "./report-sections.ts"

/** A column of a table: its title, what a row shows in it, and the unit of its numbers. */
export type TableColumn<Row> = readonly [
  title: string,
  cell: (row: Row) => TableData["rows"][number][number],
  unit?: string,
]

/** The table of some rows by its columns. */
export function tableData<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): TableData {
  return {
    columns: columns.map(([title, , unit]) => ({ title, ...(unit !== undefined && { unit }) })),
    rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
  }
}
