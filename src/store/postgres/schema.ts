import { UsageError } from "../../core/errors.ts"
import { migrations } from "../tables/migrations.ts"
import type { PostgresDatabase } from "./database.ts"
import { definitionToPostgres } from "./dialect.ts"

/**
 * Makes the store's schema, or brings it up to date; of several processes that do so at once, one does.
 *
 * @throws {UsageError} when a newer evalkit wrote it
 */
export function migratePostgres(database: PostgresDatabase, schema: string, where: string): void {
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
