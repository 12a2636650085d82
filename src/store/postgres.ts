import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { StoreSource } from "../core/run/store-source.ts"
import { connectPostgres } from "./postgres/database.ts"
import { parseLocation, redactedLocation } from "./postgres/location.ts"
import { createPostgresLocks, noteWriter } from "./postgres/locks.ts"
import { migratePostgres } from "./postgres/schema.ts"
import { storeOver } from "./store-over.ts"

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
    open({ readonly = false, patient = false } = {}) {
      const settings = { url: parsed.href, schema, tls, connectTimeoutMs, statementTimeoutMs }
      const database = connectPostgres(settings)
      try {
        migratePostgres(database, schema, location)
        if (readonly) database.exec("SET default_transaction_read_only = on")
        else noteWriter(database, schema)
        const locks = createPostgresLocks(database, schema, location)
        if (patient)
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
