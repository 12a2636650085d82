import { createHash } from "node:crypto"
import { UsageError } from "../../core/errors.ts"
import type { RunLocks } from "../tables/run-locks.ts"
import type { PostgresDatabase } from "./database.ts"

/**
 * Locks of a store that several people and machines write to at once, each to runs of their own: advisory locks of PostgreSQL,
 * which end with the connection, however that ends.
 *
 * @param where the store, for messages
 */
export function createPostgresLocks(
  database: PostgresDatabase,
  schema: string,
  where: string,
): RunLocks & { retake(): void } {
  const [space] = halves(`evalkit ${schema}`)
  const keyOf = (runId: string) => [space, halves(runId)[1]] as const
  const held = new Set<string>()
  const take = (runId: string): void => {
    const [answer] = database.query("SELECT pg_try_advisory_lock($1::int, $2::int)", keyOf(runId))
    if (answer?.[0] !== 1)
      throw new UsageError(`the run ${runId} is being written by another process`, {
        code: "store_locked",
        where,
        hint: "wait for it to end",
      })
    held.add(runId)
  }
  return {
    /** Takes what was held on a connection that was lost. @throws {UsageError} `store_locked` when another has it by now */
    retake() {
      for (const runId of held) take(runId)
    },
    isWritten(runId) {
      const [first, second] = keyOf(runId)
      const holders = database.query(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid::bigint = $1 AND objid::bigint = $2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        [first >>> 0, second >>> 0],
      )
      return holders.length > 0
    },
    take(runId) {
      if (!held.has(runId)) take(runId)
    },
    release(runId) {
      if (held.delete(runId)) database.query("SELECT pg_advisory_unlock($1::int, $2::int)", keyOf(runId))
    },
    isAlone: () => database.query("SELECT pg_try_advisory_xact_lock($1::int, 0)", [space])[0]?.[0] === 1,
  }
}

/** Says for as long as the connection lasts that somebody may write to the store. */
export function noteWriter(database: PostgresDatabase, schema: string): void {
  database.query("SELECT pg_advisory_lock_shared($1::int, 0)", [halves(`evalkit ${schema}`)[0]])
}

/** Two numbers of 32 bits with a sign. */
function halves(text: string): readonly [number, number] {
  const hash = createHash("sha256").update(text).digest()
  return [hash.readInt32BE(0), hash.readInt32BE(4) | 1]
}
