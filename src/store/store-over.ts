import { randomBytes } from "node:crypto"
import type { RunStore } from "../core/run/run-store.ts"
import { createStoredAnswers } from "./tables/answers.ts"
import { createStoredBatches } from "./tables/batches.ts"
import { type Connection, createConnection } from "./tables/connection.ts"
import { createContentCache } from "./tables/content-cache.ts"
import type { Database } from "./tables/database.ts"
import { createStoredLabels } from "./tables/labels.ts"
import { createStoredMedia } from "./tables/media.ts"
import { createStoredRows } from "./tables/rows.ts"
import type { RunLocks } from "./tables/run-locks.ts"
import { createStoredRuns } from "./tables/runs.ts"
import { createStoredSamples } from "./tables/samples.ts"
import { createStoredSteps } from "./tables/steps.ts"
import { createStoredQuotas, createStoredWorkers } from "./tables/work.ts"

/**
 * The parts of a store over one connection to its database.
 *
 * @param release what to do once the database is closed
 * @param location where it is, for messages
 */
export function storeOver(database: Database, locks: RunLocks, release: () => void, location?: string): RunStore {
  const connection = createConnection(database)
  return {
    ...createStoredRuns(connection, locks),
    ...createStoredSamples(connection),
    ...createStoredMedia(connection),
    ...createStoredAnswers(connection),
    ...createStoredSteps(connection),
    ...createStoredBatches(connection),
    ...createStoredRows(connection, locks),
    ...createStoredLabels(connection),
    ...createStoredWorkers(connection),
    ...createStoredQuotas(connection),
    ...(location !== undefined && { location }),
    cache: createContentCache(connection.sql),
    atomically: (work) => connection.transaction(work),
    identity: () => String(connection.sql("SELECT id FROM store_identity").get([])?.id),
    fingerprintKey: () => readFingerprintKey(connection),
    close() {
      database.close()
      release()
    },
  }
}

/** The name of the key among what only those may read who make runs. */
const name = "fingerprint key"

/**
 * The random key of a store, made on first use. What may be secret goes into keys of the store only as a hash with this key, so
 * that an archive or a report of a run does not make it possible to guess it.
 */
function readFingerprintKey({ sql }: Connection): string {
  const stored = () => sql("SELECT data FROM secrets WHERE name = ?").get([name])?.data
  if (!stored())
    sql("INSERT INTO secrets (name, data) VALUES (?, ?) ON CONFLICT DO NOTHING").run([name, randomBytes(32)])
  const key = stored()
  return key instanceof Uint8Array ? Buffer.from(key).toString("hex") : String(key)
}
