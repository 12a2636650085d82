import type { Database, SqlValue, Statement } from "./database.ts"

/** Rows that one page of a stream reads at a time: memory stays flat and the writer is never held up. */
export const pageSize = 500

/** What the parts of the store share: one database, its prepared statements, its transactions. */
export interface Connection {
  /** The statement of this text, prepared once. */
  sql(text: string): Statement
  /** Everything that `work` writes, or nothing of it. */
  transaction(work: () => void): void
  /** Pages through a query that ends in its conditions and has an increasing integer column `number`. */
  pages(text: string, parameters: readonly SqlValue[]): Generator<Record<string, SqlValue>>
}

/** A {@link Connection} to an open database; the caller closes it. */
export function createConnection(database: Database): Connection {
  const statements = new Map<string, Statement>()
  const sql = (text: string): Statement => {
    const known = statements.get(text)
    if (known) return known
    const statement = database.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return {
    sql,
    transaction(work) {
      database.exec("BEGIN IMMEDIATE")
      try {
        work()
        database.exec("COMMIT")
      } catch (error) {
        database.exec("ROLLBACK")
        throw error
      }
    },
    *pages(text, parameters) {
      let after = -1
      for (;;) {
        const page = sql(`${text} AND number > ? ORDER BY number LIMIT ${pageSize}`).all([...parameters, after])
        yield* page
        if (page.length < pageSize) return
        after = Number(page.at(-1)?.number)
      }
    },
  }
}

/** The value of a JSON column, trusted to be what the store wrote. */
export function parseColumn<T>(data: SqlValue | undefined): T {
  return JSON.parse(String(data)) as T
}
