/** A value that a database can bind or return. */
export type SqlValue = string | number | null | Uint8Array

/** A prepared statement. */
export interface Statement {
  run(parameters: readonly SqlValue[]): { readonly changes: number }
  /** Once for each list: all of them, or none where it throws inside a transaction. How many rows each changed. */
  runAll(lists: readonly (readonly SqlValue[])[]): readonly number[]
  get(parameters: readonly SqlValue[]): Record<string, SqlValue> | undefined
  /** All rows, each the list of its columns: a list is made and read faster than an object with names. */
  all(parameters: readonly SqlValue[]): SqlValue[][]
}

/**
 * What the tables of a store are read and written through: synchronous, one connection. Statements are in the dialect of SQLite, less
 * what has no counterpart elsewhere; see `postgres/dialect.ts`.
 */
export interface Database {
  prepare(sql: string): Statement
  exec(sql: string): void
  /** Texts as the one parameter of `json_each(?)`. */
  list(texts: readonly string[]): string
  /** Begins to read what a reader wants in an order that is not the file's; absent where that is another machine's matter. */
  readAhead?(): void
  close(): void
}
