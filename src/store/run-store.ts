import { existsSync } from "node:fs"
import { join } from "node:path"
import { UsageError } from "../core/errors.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { openDatabase, openReadonlyDatabase } from "./sqlite/database.ts"
import { storeOver } from "./store-over.ts"
import type { Database } from "./tables/database.ts"
import type { RunLocks } from "./tables/run-locks.ts"
import { hasOwnLock, hasWriter, takeWriterLock, type WriterLock } from "./writer-lock.ts"

/**
 * Opens the store of a project: `<directory>/evalkit.db`, SQLite in WAL mode.
 * One writer at a time, any number of readers; workers of a run that is shared out write beside its coordinator, on the same machine.
 * @throws {UsageError} when another process writes to it
 * @public
 */
export function openRunStore(directory: string, options: StoreOptions = {}): RunStore {
  const path = storePath(directory)
  const { role } = options
  const locks = folderLocks(directory, role)
  if (options.readonly) return storeOver(openToRead(directory, path), locks, () => {}, directory)
  if (role === "bench") unlessLocked(() => bringUpToDate(directory, path))
  if (role === "worker" || role === "bench")
    return storeOver(openDatabase(path, options.synchronous), locks, locks.releaseAll, directory)
  const lock = takeWriterLock(directory)
  try {
    const database = openDatabase(path, options.synchronous)
    // Whoever holds the lock knows that no other process is at work: what still says so was left behind.
    database.exec(
      "UPDATE runs SET status = 'stopped' WHERE status = 'running' AND json_extract(record, '$.kind') IS NULL",
    )
    return storeOver(database, locks, () => lock.release(), directory)
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
   * beside it; `bench` writes runs of its own beside whoever else writes. Absent: the only one.
   */
  readonly role?: "coordinator" | "worker" | "bench"
  /** `full`: an answer survives a loss of power, too, at the price of a flush to the disk each. Default `normal`. */
  readonly synchronous?: "normal" | "full"
}

/**
 * The locks of a store in a folder: one for all its runs, and one for each load test, which is written beside them. SQLite lets one of a
 * coordinator and its workers write at a time.
 */
function folderLocks(directory: string, role: StoreOptions["role"]): RunLocks & { releaseAll(): void } {
  const held = new Map<string, WriterLock>()
  const release = (runId: string) => {
    held.get(runId)?.release()
    held.delete(runId)
  }
  return {
    isWritten: (runId) => (hasOwnLock(directory, runId) ? hasWriter(directory, runId) : hasWriter(directory)),
    take(runId) {
      const isOwn = role === "bench" || hasOwnLock(directory, runId)
      if (isOwn && !held.has(runId)) held.set(runId, takeWriterLock(directory, runId))
    },
    release,
    isAlone: () => role === undefined,
    releaseAll: () => [...held.keys()].forEach(release),
  }
}

/** Makes the store, or brings its schema up to date. @throws {UsageError} `store_locked` */
function bringUpToDate(directory: string, path: string): void {
  const lock = takeWriterLock(directory)
  try {
    openDatabase(path).close()
  } finally {
    lock.release()
  }
}

/** Whoever has the lock has brought the schema up to date. */
function unlessLocked(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof UsageError && error.code === "store_locked")) throw error
  }
}

function openToRead(directory: string, path: string): Database {
  const database = openReadonlyDatabase(path)
  if (database) return database
  bringUpToDate(directory, path)
  return openReadonlyDatabase(path) as Database
}
