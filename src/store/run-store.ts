import { join } from "node:path"
import type { RunStore } from "../core/run-store.ts"
import { createStoredAnswers } from "./sqlite/answers.ts"
import { createConnection } from "./sqlite/connection.ts"
import { createContentCache } from "./sqlite/content-cache.ts"
import { type Database, openDatabase } from "./sqlite/database.ts"
import { readFingerprintKey } from "./sqlite/fingerprint-key.ts"
import { createStoredLabels } from "./sqlite/labels.ts"
import { createStoredRows } from "./sqlite/rows.ts"
import { createStoredRuns } from "./sqlite/runs.ts"
import { createStoredSamples } from "./sqlite/samples.ts"
import { takeWriterLock } from "./writer-lock.ts"

/**
 * Opens the store of a project: `<directory>/evalkit.db`, SQLite in WAL mode.
 * One writer at a time, any number of readers.
 * @throws {UsageError} when another process writes to it
 * @public
 */
export function openRunStore(directory: string, options: { readonly readonly?: boolean } = {}): RunStore {
  const readonly = options.readonly ?? false
  const database = openDatabase(join(directory, "evalkit.db"), { readonly })
  if (readonly) return createRunStore(database, () => {})
  try {
    return createRunStore(database, takeWriterLock(join(directory, "writer.lock")))
  } catch (error) {
    database.close()
    throw error
  }
}

/** The parts of a store over one connection. */
function createRunStore(database: Database, release: () => void): RunStore {
  const connection = createConnection(database)
  return {
    ...createStoredRuns(connection),
    ...createStoredSamples(connection),
    ...createStoredAnswers(connection),
    ...createStoredRows(connection),
    ...createStoredLabels(connection),
    cache: createContentCache(connection.sql),
    fingerprintKey: () => readFingerprintKey(connection),
    close() {
      database.close()
      release()
    },
  }
}
