import { isStoreBusy } from "../../core/run/run-store.ts"
import { redactSecrets } from "../../text/secrets.ts"
import type { Database, SqlValue, Statement } from "./database.ts"

/** Rows that one page of a stream reads at a time, at most: memory stays flat and the writer is never held up. */
const pageSize = 500
/** Rows of the first page, before it is known how large they are. */
const firstPageSize = 20
/** Characters and bytes that a page should have, at most. One row is read however large it is. */
const wantedPageBytes = 4_000_000

/** How often a transaction is tried that others are in the way of. */
const tries = 10
/** The longest pause before its second try; before each later one it is twice as long. In milliseconds. */
const firstPauseMs = 5

/** What the parts of the store share: one database, its prepared statements, its transactions. */
export interface Connection {
  /** The statement of this text, prepared once. */
  sql(text: string): Statement
  /** Texts as the one parameter of `json_each(?)`. */
  list(texts: readonly string[]): string
  /** Says that much of the store will be read in an order that is not its own. */
  readAhead(): void
  /**
   * Everything that `work` writes, or nothing of it; also where it takes several turns of the event loop, in which nobody else
   * should write. Inside another transaction it is a part of that one, and can fail alone. Where other processes were in its way,
   * as in a deadlock, it begins again: `work` may run several times, unless it takes several turns.
   */
  transaction<Result>(work: () => Result): Result
  /**
   * Pages through a query that ends in its conditions, in the order of its first columns, which `key` names: together they are unique,
   * and an index has them after the columns of the conditions. By default the integer column `number`. Rows are lists of columns.
   */
  pages(text: string, parameters: readonly SqlValue[], key?: readonly string[]): Generator<readonly SqlValue[]>
}

/** A {@link Connection} to an open database; the caller closes it. */
export function createConnection(database: Database): Connection {
  const statements = new Map<string, Statement>()
  const sql = (text: string): Statement => {
    const existing = statements.get(text)
    if (existing) return existing
    const statement = database.prepare(text)
    statements.set(text, statement)
    return statement
  }
  let depth = 0
  const begin = (): void => {
    database.exec(depth === 0 ? "BEGIN IMMEDIATE" : `SAVEPOINT part_${depth}`)
    depth++
  }
  const commit = (): void => {
    database.exec(depth === 1 ? "COMMIT" : `RELEASE part_${depth - 1}`)
    depth--
  }
  const rollback = (): void => {
    depth--
    try {
      database.exec(depth === 0 ? "ROLLBACK" : `ROLLBACK TO part_${depth}; RELEASE part_${depth}`)
    } catch {
      // SQLite took it back itself, as it does on a full disk: what it failed of says more.
    }
  }
  const runTransaction = <Result>(work: () => Result): Result => {
    begin()
    try {
      const result = work()
      if (result instanceof Promise) return ended(result, commit, rollback) as Result
      commit()
      return result
    } catch (error) {
      rollback()
      throw error
    }
  }
  return {
    sql,
    list: (texts) => database.list(texts),
    readAhead: () => database.readAhead?.(),
    transaction(work) {
      for (let tried = 0; ; tried++)
        try {
          return runTransaction(work)
        } catch (error) {
          if (depth > 0 || tried + 1 >= tries || !isStoreBusy(error)) throw error
          standStill(Math.random() * firstPauseMs * 2 ** tried)
        }
    },
    *pages(text, parameters, key = ["number"]) {
      const columns = key.join(", ")
      const places = key.map(() => "?").join(", ")
      let after: readonly SqlValue[] | null = null
      let limit = firstPageSize
      for (;;) {
        const condition = after ? ` AND (${columns}) > (${places})` : ""
        const query = sql(`${text}${condition} ORDER BY ${columns} LIMIT ?`)
        const page = query.all([...parameters, ...(after ?? []), limit])
        const last = page.at(-1)
        const isLast = page.length < limit
        limit = nextPageSize(page)
        after = last?.slice(0, key.length) ?? null
        yield* page
        if (isLast) return
      }
    },
  }
}

/** By chance of different length for each process: those that met once would otherwise meet again and again. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** As many rows as these are large: a store may hold answers of a line, and answers of megabytes. */
function nextPageSize(page: readonly (readonly SqlValue[])[]): number {
  // Of many, so many show how large they are.
  const step = Math.max(1, Math.floor(page.length / 25))
  let bytes = 0
  let looked = 0
  for (let i = page.length - 1; i >= 0; i -= step, looked++)
    for (const value of page[i] ?? [])
      if (typeof value === "string" || value instanceof Uint8Array) bytes += value.length
  return Math.max(1, Math.min(pageSize, Math.floor(wantedPageBytes / Math.max(1, bytes / looked))))
}

async function ended<Result>(work: Promise<Result>, commit: () => void, rollback: () => void): Promise<Result> {
  try {
    const result = await work
    commit()
    return result
  } catch (error) {
    rollback()
    throw error
  }
}

/** The value of a JSON column, trusted to be what the store wrote. */
export function parseColumn<T>(data: SqlValue | undefined): T {
  return JSON.parse(String(data)) as T
}

/** What providers, servers and workers say of themselves, for a JSON column, without keys: answers and rows are cleaned before anything is made of them. */
export function redactedColumn(value: object): string {
  return redactSecrets(JSON.stringify(value))
}
