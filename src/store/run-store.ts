import { existsSync } from "node:fs"
import { join } from "node:path"
import type { RunStore } from "../core/run/run-store.ts"
import { openDatabase, openReadonlyDatabase } from "./sqlite/database.ts"
import { storeOver } from "./store-over.ts"
import type { Database } from "./tables/database.ts"
import { lockedAsAWhole, type RunLocks } from "./tables/run-locks.ts"
import { hasWriter, takeWriterLock } from "./writer-lock.ts"

/**
 * Opens the store of a project: `<directory>/evalkit.db`, SQLite in WAL mode.
 * One writer at a time, any number of readers; workers of a run that is shared out write beside its coordinator, on the same machine.
 * @throws {UsageError} when another process writes to it
 * @public
 */
export function openRunStore(directory: string, options: StoreOptions = {}): RunStore {
  const path = storePath(directory)
  if (options.readonly)
    return storeOver(
      openToRead(directory, path),
      lockedAsAWhole(() => hasWriter(directory)),
      () => {},
      directory,
    )
  if (options.role === "worker")
    return storeOver(openDatabase(path, options.synchronous), besideOthers(directory), () => {}, directory)
  const lock = takeWriterLock(directory)
  try {
    const database = openDatabase(path, options.synchronous)
    // Whoever holds the lock knows that no other process is at work: what still says so was left behind.
    database.exec("UPDATE runs SET status = 'stopped' WHERE status = 'running'")
    return storeOver(
      database,
      options.role === "coordinator" ? besideOthers(directory) : lockedAsAWhole(() => true),
      () => lock.release(),
      directory,
    )
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Whether a folder holds a store. */
export function hasStore(directory: string): boolean {
  return existsSync(storePath(directory))
}

function storePath(directory: string): string {
  return join(directory, "evalkit.db")
}

/** How a store is opened. @experimental */
export interface StoreOptions {
  /** Nothing is written, but for the schema of a store that an older evalkit wrote. */
  readonly readonly?: boolean
  /**
   * Which of several processes of one machine opens it that work on one run: the coordinator has the writer's lock, and workers write
   * beside it. Absent: the only one.
   */
  readonly role?: "coordinator" | "worker"
  /** `full`: an answer survives a loss of power, too, at the price of a flush to the disk each. Default `normal`. */
  readonly synchronous?: "normal" | "full"
}

/** The locks of a store that a coordinator and its workers write to: SQLite lets one of them write at a time. */
function besideOthers(directory: string): RunLocks {
  return { ...lockedAsAWhole(() => hasWriter(directory)), isAlone: () => false }
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
