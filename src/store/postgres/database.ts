import { EvalkitError, MissingPackageError, UsageError } from "../../core/errors.ts"
import type { Database, SqlValue } from "../tables/database.ts"
import { toPostgres } from "./dialect.ts"
import { redactedLocation, withoutSecrets } from "./location.ts"
import type { ConnectSettings, QueryReply, QueryResult, SentStatement } from "./query-message.ts"
import { askThread } from "./query-thread.ts"
import { fromStoredText, toStoredText } from "./stored-text.ts"

/** A connection to PostgreSQL behind the interface of the tables, and statements of PostgreSQL's own. */
export interface PostgresDatabase extends Database {
  /** The rows of a statement in PostgreSQL's own dialect. */
  query(text: string, parameters?: readonly SqlValue[]): readonly (readonly SqlValue[])[]
}

let connections = 0

/**
 * Connects; every method stands still until the server has answered.
 *
 * @throws {UsageError} `store_lost` where it cannot be reached; {@link MissingPackageError} without `pg`
 */
export function connectPostgres(settings: ConnectSettings): PostgresDatabase {
  const id = ++connections
  const url = new URL(settings.url)
  const read = (reply: QueryReply): readonly QueryResult[] => {
    if (reply.kind === "results") return reply.results
    throw faultOf({ ...reply, message: withoutSecrets(reply.message, url) }, redactedLocation(url))
  }
  read(askThread({ kind: "connect", id, settings }))
  let isOpen = true
  let isInTransaction = false
  // What only begins something is sent with the first statement that follows.
  let begun: SentStatement[] = []
  const ask = (statements: readonly SentStatement[]): readonly QueryResult[] => {
    const before = begun
    begun = []
    return read(askThread({ kind: "query", id, statements: [...before, ...statements] })).slice(before.length)
  }
  /** A statement that fails takes only itself back, in a transaction too, as in SQLite. */
  const write = (statements: readonly SentStatement[]): readonly QueryResult[] => {
    if (!isInTransaction) return ask(statements)
    try {
      return ask([{ text: "SAVEPOINT statement" }, ...statements, { text: "RELEASE statement" }]).slice(1, -1)
    } catch (error) {
      if (!isLoss(error)) ask([{ text: "ROLLBACK TO statement" }, { text: "RELEASE statement" }])
      throw error
    }
  }
  return {
    prepare(sql) {
      const text = toPostgres(sql)
      const statement = (values: readonly SqlValue[]): SentStatement => ({ text, parameters: values.map(toStored) })
      return {
        run: (values) => ({ changes: write([statement(values)])[0]?.changes ?? 0 }),
        runAll(lists) {
          if (lists.length === 0) return []
          if (lists.length === 1 || isInTransaction) return write(lists.map(statement)).map(({ changes }) => changes)
          throw new EvalkitError("several writes belong into a transaction", { code: "store_transaction" })
        },
        get(values) {
          const [result] = ask([statement(values)])
          const row = result?.rows[0]
          return row && Object.fromEntries(result.names.map((name, i) => [name, fromStored(row[i] ?? null)]))
        },
        all: (values) => (ask([statement(values)])[0]?.rows ?? []).map((row) => row.map(fromStored)),
      }
    },
    exec(sql) {
      const text = toPostgres(sql)
      if (text === "BEGIN") isInTransaction = true
      if (text === "COMMIT" || text === "ROLLBACK") isInTransaction = false
      if (text === "BEGIN" || text.startsWith("SAVEPOINT")) begun.push({ text })
      else ask([{ text }])
    },
    query: (text, values) => ask([{ text, parameters: (values ?? []).map(toStored) }])[0]?.rows ?? [],
    list: (texts) => JSON.stringify(texts.map(toStoredText)),
    close() {
      if (isOpen) askThread({ kind: "close", id })
      isOpen = false
    },
  }
}

/** NaN is null, as SQLite keeps it. */
function toStored(value: SqlValue): SqlValue {
  if (typeof value === "string") return toStoredText(value)
  return Number.isNaN(value) ? null : value
}

function fromStored(value: SqlValue): SqlValue {
  return typeof value === "string" ? fromStoredText(value) : value
}

const lost = "store_lost"

/** Whether the connection to the store is gone. */
export function isLoss(error: unknown): boolean {
  return error instanceof EvalkitError && error.code === lost
}

function faultOf({ message, code, isLost }: Extract<QueryReply, { kind: "failed" }>, where: string): EvalkitError {
  if (code === "missing_package") return new MissingPackageError("pg", "The store in PostgreSQL")
  if (code === "42501")
    return new UsageError(`the role may not do this in the store: ${message}`, {
      code: "store_forbidden",
      where,
      hint: "docs/scale.md names the rights that each role needs",
    })
  if (code?.startsWith("28") || code === "3D000")
    return new UsageError(`the store cannot be opened: ${message}`, {
      code: "store_refused",
      where,
      hint: "check user, password (PGPASSWORD or ~/.pgpass) and database",
    })
  if (code?.startsWith("53"))
    return new UsageError(`the store cannot be written: ${message}`, {
      code: "cannot_write",
      where,
      hint: "make room on its server, then go on with: evalkit run --resume",
    })
  if (isLost)
    return new UsageError(`the store cannot be reached: ${message}`, {
      code: lost,
      where,
      hint: "see that the server runs and can be reached; what was answered is kept: go on with evalkit run --resume",
    })
  return new EvalkitError(`the store refused a statement: ${message}`, { code: `store_${code ?? "fault"}`, where })
}
