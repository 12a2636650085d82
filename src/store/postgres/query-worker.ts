import { createHash } from "node:crypto"
import { type MessagePort, workerData } from "node:worker_threads"
import type { Client } from "pg"
import { MissingPackageError } from "../../core/errors.ts"
import { importOptional } from "../../core/optional-package.ts"
import type { SqlValue } from "../tables/database.ts"
import type { ConnectSettings, QueryMessage, QueryReply, QueryResult, SentStatement } from "./query-message.ts"

/**
 * The thread that holds the connections to PostgreSQL: it does the waiting for a caller that stands still meanwhile. Its port
 * brings one message at a time; the answer is there before the signal.
 */
const { port, signal } = workerData as { readonly port: MessagePort; readonly signal: SharedArrayBuffer }
const flag = new Int32Array(signal)
const connections = new Map<number, Client>()

/** OIDs of the types that the store reads, and how. Others stay texts. */
const parsers: Readonly<Record<number, (text: string) => SqlValue>> = {
  16: (text) => (text === "t" ? 1 : 0),
  17: (text) => Uint8Array.from(Buffer.from(text.slice(2), "hex")),
  20: Number,
  21: Number,
  23: Number,
  26: Number,
  700: Number,
  701: Number,
  1700: Number,
}
const asText = (text: string): string => text

port.on("message", (message: QueryMessage) => {
  answer(message).then((reply) => {
    port.postMessage(reply)
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
  })
})

async function answer(message: QueryMessage): Promise<QueryReply> {
  const { id } = message
  try {
    if (message.kind === "connect") connections.set(id, await connect(id, message.settings))
    else if (message.kind === "query") return { kind: "results", results: await query(id, message.statements) }
    else await close(id)
    return { kind: "results", results: [] }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null
    const isLost = message.kind === "connect" || !connections.has(id) || isOfConnection(code)
    if (isLost) void close(id).catch(() => {})
    const words = error instanceof Error ? error.message || String(code ?? error.name) : String(error)
    return {
      kind: "failed",
      message: words,
      code: error instanceof MissingPackageError ? "missing_package" : code,
      isLost,
    }
  }
}

async function connect(id: number, settings: ConnectSettings): Promise<Client> {
  const { default: pg } = await importOptional<typeof import("pg")>("pg", "the store in PostgreSQL")
  const client = new pg.Client({
    connectionString: settings.url,
    ...(settings.tls && { ssl: settings.tls }),
    connectionTimeoutMillis: settings.connectTimeoutMs,
    application_name: "evalkit",
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: (oid: number) => parsers[oid] ?? asText },
  } as ConstructorParameters<typeof Client>[0])
  // Without a listener the thread would end; the next statement says what happened.
  client.on("error", () => connections.delete(id))
  client.on("end", () => connections.delete(id))
  await client.connect()
  // A process that is cut off or stands still in a transaction must not keep its rows: the server ends it before others give up.
  const parameters = {
    search_path: `"${settings.schema}"`,
    client_min_messages: "warning",
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 6_000,
    statement_timeout: settings.statementTimeoutMs,
  }
  await client.query(
    Object.entries(parameters)
      .map(([name, value]) => `SET ${name} = ${value}`)
      .join("; "),
  )
  return client
}

/** The results of statements that are sent together; the first fault is thrown once all have ended. */
async function query(id: number, statements: readonly SentStatement[]): Promise<QueryResult[]> {
  const client = connections.get(id)
  if (!client) throw Object.assign(new Error("the connection was lost"), { code: "08006" })
  const ends = await Promise.allSettled(statements.map((statement) => send(client, statement)))
  const fault = ends.find((end) => end.status === "rejected")
  if (fault) throw fault.reason
  return ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []))
}

async function send(client: Client, { text, parameters }: SentStatement): Promise<QueryResult> {
  if (!parameters) {
    await client.query(text)
    return { changes: 0, names: [], rows: [] }
  }
  const values = parameters.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))
  const result = await client.query<SqlValue[]>({ name: nameOf(text), text, values, rowMode: "array" })
  return { changes: result.rowCount ?? 0, names: result.fields.map(({ name }) => name), rows: result.rows }
}

const names = new Map<string, string>()

/** Statements are prepared once a connection, by a name of their text. */
function nameOf(text: string): string {
  const existing = names.get(text)
  if (existing !== undefined) return existing
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32)
  names.set(text, name)
  return name
}

async function close(id: number): Promise<void> {
  const client = connections.get(id)
  connections.delete(id)
  await client?.end()
}

/** SQLSTATE classes 08 (connection) and 57P (the server goes down), 25P03 (it stood still in a transaction), and codes of the system. */
function isOfConnection(code: string | null): boolean {
  return code === null || /^(08|57P|25P03|E[A-Z]+$)/.test(code)
}
