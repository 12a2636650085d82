import { join } from "node:path"
import type { RunStore } from "../core/run/run-store.ts"
import { createStoredAnswers } from "./sqlite/answers.ts"
import { createStoredBatches } from "./sqlite/batches.ts"
import { createConnection } from "./sqlite/connection.ts"
import { createContentCache } from "./sqlite/content-cache.ts"
import { type Database, openDatabase, openReadonlyDatabase } from "./sqlite/database.ts"
import { readFingerprintKey } from "./sqlite/fingerprint-key.ts"
import { createStoredLabels } from "./sqlite/labels.ts"
import { createStoredMedia } from "./sqlite/media.ts"
import { createStoredRows } from "./sqlite/rows.ts"
import { createStoredRuns } from "./sqlite/runs.ts"
import { createStoredSamples } from "./sqlite/samples.ts"
import { createStoredSteps } from "./sqlite/steps.ts"
import { hasWriter, takeWriterLock } from "./writer-lock.ts"

/**
 * Opens the store of a project: `<directory>/evalkit.db`, SQLite in WAL mode.
 * One writer at a time, any number of readers.
 * @throws {UsageError} when another process writes to it
 * @public
 */
export function openRunStore(directory: string, options: StoreOptions = {}): RunStore {
  const path = join(directory, "evalkit.db")
  if (options.readonly)
    return createRunStore(
      openToRead(directory, path),
      () => {},
      () => hasWriter(directory),
    )
  const lock = takeWriterLock(directory)
  try {
    const database = openDatabase(path, options.synchronous)
    // Whoever holds the lock knows that no other process is at work: what still says so was left behind.
    database.exec("UPDATE runs SET status = 'stopped' WHERE status = 'running'")
    return createRunStore(
      database,
      () => lock.release(),
      () => true,
    )
  } catch (error) {
    lock.release()
    throw error
  }
}

/** How a store is opened. */
export interface StoreOptions {
  /** Nothing is written, but for the schema of a store that an older evalkit wrote. */
  readonly readonly?: boolean
  /** `full`: an answer survives a loss of power, too, at the price of a flush to the disk each. Default `normal`. */
  readonly synchronous?: "normal" | "full"
}

function openToRead(directory: string, path: string): Database {
  const database = openReadonlyDatabase(path)
  if (database) return database
  const lock = takeWriterLock(directory)
  try {
    openDatabase(path).close()
  } finally {
    lock.release()
  }
  return openReadonlyDatabase(path) as Database
}

/** The parts of a store over one connection. */
function createRunStore(database: Database, release: () => void, isWritten: () => boolean): RunStore {
  const connection = createConnection(database)
  return {
    ...createStoredRuns(connection, isWritten),
    ...createStoredSamples(connection),
    ...createStoredMedia(connection),
    ...createStoredAnswers(connection),
    ...createStoredSteps(connection),
    ...createStoredBatches(connection),
    ...createStoredRows(connection),
    ...createStoredLabels(connection),
    cache: createContentCache(connection.sql),
    atomically: (work) => connection.transaction(work),
    fingerprintKey: () => readFingerprintKey(connection),
    close() {
      database.close()
      release()
    },
  }
}
