import { join } from "node:path"
import type { RunStore } from "../core/run/run-store.ts"
import { openDatabase, openReadonlyDatabase } from "./sqlite/database.ts"
import { storeOver } from "./store-over.ts"
import type { Database } from "./tables/database.ts"
import { lockedAsAWhole } from "./tables/run-locks.ts"
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
    return storeOver(
      openToRead(directory, path),
      lockedAsAWhole(() => hasWriter(directory)),
      () => {},
    )
  const lock = takeWriterLock(directory)
  try {
    const database = openDatabase(path, options.synchronous)
    // Whoever holds the lock knows that no other process is at work: what still says so was left behind.
    database.exec("UPDATE runs SET status = 'stopped' WHERE status = 'running'")
    return storeOver(
      database,
      lockedAsAWhole(() => true),
      () => lock.release(),
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
