import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { StoreSource } from "../core/run/store-source.ts"
import { connectPostgres, type PostgresDatabase } from "./postgres/database.ts"
import { definitionToPostgres } from "./postgres/dialect.ts"
import { parseLocation, redactedLocation } from "./postgres/location.ts"
import { createPostgresLocks, noteWriter } from "./postgres/locks.ts"
import { storeOver } from "./store-over.ts"
import { migrations } from "./tables/migrations.ts"

/** Certificates of a store in PostgreSQL, as texts in PEM. The server's is always checked. @experimental */
export interface PostgresTls {
  /** Who may have signed the server's certificate. Default: the authorities that Node knows. */
  readonly ca?: string
  /** The client's own certificate, and its key. */
  readonly cert?: string
  readonly key?: string
}

/** How a store in PostgreSQL is reached. @experimental */
export interface PostgresOptions {
  /** Schema that holds the tables; made where it does not exist. Default: `evalkit`. */
  readonly schema?: string
  /** TLS. Default: what the URL says (`?sslmode=verify-full&sslrootcert=ca.pem`). */
  readonly tls?: PostgresTls
  /** How long to wait for a connection, in milliseconds. Default: 10,000. */
  readonly connectTimeoutMs?: number
  /** How long one statement may take, in milliseconds. Default: 120,000. */
  readonly statementTimeoutMs?: number
}

/**
 * The store of a team: a database in PostgreSQL 13 or newer, with the tables of a store on disk. Several people and machines may
 * write to it at once, each to runs of their own. Needs the package `pg`.
 *
 * @param url `postgres://user@host:5432/database`; the password belongs into PGPASSWORD or ~/.pgpass
 * @throws {UsageError} when the URL or an option cannot be used
 * @example defineConfig({ store: postgres(process.env.EVALKIT_STORE), … })
 * @experimental
 */
export function postgres(url: string | undefined, options: PostgresOptions = {}): StoreSource {
  checkOptions("postgres", options)
  const parsed = parseLocation(url, "postgres(url)")
  const { schema = "evalkit", tls = null, connectTimeoutMs = 10_000, statementTimeoutMs = 120_000 } = options
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new UsageError("the schema of a store is named by small letters, digits and _", {
      where: "postgres(url, { schema })",
    })
  const location = redactedLocation(parsed)
  return {
    location,
    open({ readonly = false, reconnects = false } = {}) {
      const settings = { url: parsed.href, schema, tls, connectTimeoutMs, statementTimeoutMs }
      const database = connectPostgres(settings)
      try {
        migratePostgres(database, schema, location)
        if (readonly) database.exec("SET default_transaction_read_only = on")
        else noteWriter(database, schema)
        const locks = createPostgresLocks(database, schema, location)
        if (reconnects)
          database.reconnect(() => {
            noteWriter(database, schema)
            locks.retake()
          })
        return storeOver(database, locks, () => {}, location)
      } catch (error) {
        database.close()
        throw error
      }
    },
  }
}

/**
 * Makes the store's schema, or brings it up to date; of several processes that do so at once, one does.
 *
 * @throws {UsageError} when a newer evalkit wrote it
 */
function migratePostgres(database: PostgresDatabase, schema: string, where: string): void {
  if (schemaVersion(database, where) === migrations.length) return
  database.exec("BEGIN")
  try {
    database.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`evalkit schema ${schema}`])
    // Who may not create in the database may still use a schema that was made for them.
    if (database.query("SELECT to_regnamespace($1) IS NOT NULL", [`"${schema}"`])[0]?.[0] !== 1)
      database.exec(`CREATE SCHEMA "${schema}"`)
    database.exec("CREATE TABLE IF NOT EXISTS store_schema (version BIGINT NOT NULL)")
    for (let next = schemaVersion(database, where); next < migrations.length; next++)
      database.exec(definitionToPostgres(migrations[next] as string))
    database.exec(`DELETE FROM store_schema; INSERT INTO store_schema VALUES (${migrations.length})`)
    database.exec("COMMIT")
  } catch (error) {
    database.exec("ROLLBACK")
    throw error
  }
}

/** 0 where there is none yet. */
function schemaVersion(database: PostgresDatabase, where: string): number {
  if (database.query("SELECT to_regclass('store_schema') IS NULL")[0]?.[0] === 1) return 0
  const version = Number(database.query("SELECT max(version) FROM store_schema")[0]?.[0] ?? 0)
  if (version <= migrations.length) return version
  throw new UsageError(`the store has schema ${version}, newer than this evalkit's ${migrations.length}`, {
    code: "store_newer",
    where,
    hint: "update evalkit",
  })
}
