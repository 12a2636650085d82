import { EvalkitError, MissingPackageError, UsageError } from "../../core/errors.ts"
import { isStoreLost, storeBusy, storeLost } from "../../core/run/run-store.ts"
import type { Database, SqlValue } from "../tables/database.ts"
import { fromStoredText, toStoredText } from "../tables/stored-text.ts"
import { toPostgres } from "./dialect.ts"
import { redactedLocation, withoutSecrets } from "./location.ts"
import type { ConnectSettings, QueryReply, QueryResult, SentStatement } from "./query-message.ts"
import { askThread } from "./query-thread.ts"

/** A connection to PostgreSQL behind the interface of the tables, and statements of PostgreSQL's own. */
export interface PostgresDatabase extends Database {
  /** The rows of a statement in PostgreSQL's own dialect. */
  query(text: string, parameters?: readonly SqlValue[]): readonly (readonly SqlValue[])[]
  /** From here on a lost connection is made again by the statement after the one that lost it; then `again` is called. */
  reconnect(onReconnect: () => void): void
}

/** How long one try to connect again may take, in milliseconds: the caller stands still. */
const reconnectMs = 2_000

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
  /** What the connection was lost with; null while it is there. */
  let loss: unknown = null
  let reconnected: (() => void) | null = null
  let isInTransaction = false
  // What only begins something is sent with the first statement that follows.
  let begun: SentStatement[] = []
  const revive = (): void => {
    if (loss === null || reconnected === null) return
    read(askThread({ kind: "connect", id, settings: { ...settings, connectTimeoutMs: reconnectMs } }))
    loss = null
    reconnected()
  }
  const ask = (statements: readonly SentStatement[]): readonly QueryResult[] => {
    const before = begun
    begun = []
    if (!isInTransaction) revive()
    try {
      return read(askThread({ kind: "query", id, statements: [...before, ...statements] })).slice(before.length)
    } catch (error) {
      if (isStoreLost(error)) loss = error
      throw error
    }
  }
  /** A statement that fails takes only itself back, in a transaction too, as in SQLite. */
  const write = (statements: readonly SentStatement[]): readonly QueryResult[] => {
    if (!isInTransaction) return ask(statements)
    try {
      return ask([{ text: "SAVEPOINT statement" }, ...statements, { text: "RELEASE statement" }]).slice(1, -1)
    } catch (error) {
      if (!isStoreLost(error)) ask([{ text: "ROLLBACK TO statement" }, { text: "RELEASE statement" }])
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
      // What was written before the loss is gone with it: a new connection must not confirm it.
      if (text === "COMMIT" && loss !== null) throw loss
      if (text === "BEGIN") {
        revive()
        isInTransaction = true
      }
      if (text === "COMMIT" || text === "ROLLBACK") isInTransaction = false
      if (text === "BEGIN" || text.startsWith("SAVEPOINT")) begun.push({ text })
      // There is nothing to take back on a connection that is gone.
      else if (text !== "ROLLBACK" || loss === null) ask([{ text }])
    },
    query: (text, values) => ask([{ text, parameters: (values ?? []).map(toStored) }])[0]?.rows ?? [],
    list: (texts) => JSON.stringify(texts.map(toStoredText)),
    reconnect(onReconnect) {
      reconnected = onReconnect
    },
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

function faultOf({ message, code, isLost }: Extract<QueryReply, { kind: "failed" }>, where: string): EvalkitError {
  if (code === "missing_package") return new MissingPackageError("pg", "the store in PostgreSQL")
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
  // A deadlock, a transaction that cannot be put in a row with others, a lock that was not to be had.
  if (code === "40P01" || code === "40001" || code === "55P03")
    return new EvalkitError(`others were in the way of a transaction: ${message}`, { code: storeBusy, where })
  if (isLost)
    return new UsageError(`the store cannot be reached: ${message}`, {
      code: storeLost,
      where,
      hint: "see that the server runs and can be reached; what was answered is kept: go on with evalkit run --resume",
    })
  return new EvalkitError(`the store refused a statement: ${message}`, { code: `store_${code ?? "fault"}`, where })
}
