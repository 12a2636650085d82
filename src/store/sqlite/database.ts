import { existsSync, type Stats, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import type { DatabaseSync, DatabaseSyncInstance } from "@photostructure/sqlite"
import { EvalkitError, MissingPackageError, messageOf, UsageError } from "../../core/errors.ts"
import { isStoreBusy, storeBusy } from "../../core/run/run-store.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import type { Database, SqlValue } from "../tables/database.ts"
import { migrations } from "../tables/migrations.ts"
import { fromStoredText, toStoredText } from "../tables/stored-text.ts"
import { type ReadAhead, readAhead as readFile } from "./read-ahead.ts"

/** Answers are read and written in an order that is none of the file's: 32 MB of its pages are kept in memory. */
const pageCache = "PRAGMA cache_size = -32000"
/**
 * The log goes into the file when it has 16 MB. A page that changes often, as those of an index do whose keys come in no order, is
 * written into the file once for all of them.
 */
const logPages = "PRAGMA wal_autocheckpoint = 4000"

/** How long a statement waits for another process's lock, in milliseconds. */
const busyTimeoutMs = 10_000

/**
 * Opens (and creates or migrates) a store's file in WAL mode. The caller holds the writer's lock.
 *
 * @param synchronous `normal`: an answer survives any end of the process; `full`: a loss of power, too
 * @param readAhead reads the file ahead, where a reader wants much of it; `stop` is called when the store is closed
 * @throws {UsageError} when a newer evalkit wrote it, or when the file is not a database
 */
export function openDatabase(
  path: string,
  synchronous: "normal" | "full" = "normal",
  readAhead: (path: string) => ReadAhead = readFile,
): Database {
  return opening(path, () => {
    makeFolder(dirname(path), 0o700)
    const Driver = loadDriver()
    const database = adapt(new Driver(path, { timeout: busyTimeoutMs }), path, { atTheEnd: emptyLog, readAhead })
    patiently(() => database.exec("PRAGMA journal_mode = WAL"))
    database.exec(`PRAGMA synchronous = ${synchronous}; ${pageCache}; ${logPages}`)
    migrate(database, path)
    return database
  })
}

/**
 * Opens a store's file to read it; nothing is written. A store that does not exist is an empty one. Null when an older evalkit
 * wrote it: then its schema must be brought up to date first.
 *
 * @throws {UsageError} when a newer evalkit wrote it, or when the file is not a database
 */
export function openReadonlyDatabase(path: string): Database | null {
  return opening(path, () => {
    const Driver = loadDriver()
    refuseFileForFolder(path)
    if (!existsSync(path)) {
      const empty = adapt(new Driver(":memory:"), path)
      migrate(empty, path)
      return empty
    }
    const database = adapt(new Driver(path, { timeout: busyTimeoutMs, readOnly: true }), path)
    database.exec(pageCache)
    if (schemaVersion(database, path) === migrations.length) return database
    database.close()
    return null
  })
}

/**
 * A database file without the store's schema, in which a writer's lock is held.
 *
 * @param waitMs how long a statement waits for another process's lock
 */
export function openPlainDatabase(path: string, waitMs: number): Database {
  return opening(path, () => {
    makeFolder(dirname(path))
    return adapt(new (loadDriver())(path, { timeout: waitMs }), path)
  })
}

function opening<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof EvalkitError) throw error
    refuseFileForFolder(path)
    if (statOf(path)?.isDirectory() || /not a database/i.test(messageOf(error)))
      throw new UsageError("this is no store of evalkit", {
        where: path,
        hint: "move it away, or name another folder with --directory",
        cause: error,
      })
    throw new UsageError("the store cannot be opened", {
      where: path,
      hint: "check that the folder is writable and that the file is an evalkit store",
      cause: error,
    })
  }
}

/** What stands at a path; undefined also where a folder on the way to it is none, or may not be read. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** A file where the store's folder should be is no empty store. */
function refuseFileForFolder(path: string): void {
  const folder = dirname(path)
  if (statOf(folder)?.isFile())
    throw new UsageError("the store's folder is a file", {
      where: folder,
      hint: "move it away, or name another folder with --directory",
    })
}

/** @throws {UsageError} when a newer evalkit wrote the store */
function schemaVersion(database: Database, path: string): number {
  const version = Number(database.prepare("PRAGMA user_version").get([])?.user_version ?? 0)
  if (version > migrations.length) {
    throw new UsageError(`the store has schema ${version}, newer than this evalkit's ${migrations.length}`, {
      code: "store_newer",
      where: path,
      hint: "update evalkit",
    })
  }
  return version
}

function migrate(database: Database, path: string): void {
  while (schemaVersion(database, path) < migrations.length) {
    database.exec("BEGIN IMMEDIATE")
    try {
      // Another process may have done it meanwhile.
      const next = schemaVersion(database, path)
      if (next < migrations.length) database.exec(`${migrations[next]}; PRAGMA user_version = ${next + 1}`)
      database.exec("COMMIT")
    } catch (error) {
      try {
        database.exec("ROLLBACK")
      } catch {
        // SQLite took it back itself: what it failed of says more.
      }
      throw error
    }
  }
}

/** Where several processes make a file's log at the same moment, SQLite lets all but one fail at once, whatever its time limit. */
function patiently(work: () => void): void {
  for (const untilMs = performance.now() + busyTimeoutMs; ; )
    try {
      work()
      return
    } catch (error) {
      if (!isStoreBusy(error) || performance.now() > untilMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 + 40 * Math.random())
    }
}

/**
 * Puts what SQLite's log still has into the file, which is then the whole store for who copies it: the driver closes without doing so.
 * Where others read at that moment, the log stays, and theirs it is.
 */
function emptyLog(driver: DatabaseSyncInstance): void {
  try {
    driver.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
  } catch {
    // It is read where it is.
  }
}

/** What an open store does besides. */
interface Adapting {
  /** Called before it is closed. */
  readonly atTheEnd?: (driver: DatabaseSyncInstance) => void
  /** Reads its file ahead. */
  readonly readAhead?: (path: string) => ReadAhead
}

/** The driver speaks the interface of `node:sqlite`: parameters one by one, counts that may be big integers. */
function adapt(
  driver: DatabaseSyncInstance,
  path: string,
  { atTheEnd = () => {}, readAhead = readFile }: Adapting = {},
): Database {
  const reported = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      if (isInTheWay(error))
        throw new EvalkitError(`others write to the store: ${messageOf(error)}`, {
          code: storeBusy,
          where: path,
          cause: error,
        })
      if (codeOf(error) === damageCode) throw damaged(path, error)
      throw isOfTheDisk(error) ? cannotWrite(path, error) : error
    }
  }
  let ahead: ReadAhead | null = null
  return {
    prepare(sql) {
      const statement = reported(() => driver.prepare(sql))
      let asLists = false
      const reading = (lists: boolean) => {
        if (asLists !== lists) statement.setReturnArrays(lists)
        asLists = lists
        return statement
      }
      const run = (parameters: readonly SqlValue[]) =>
        Number(reported(() => statement.run(...parameters.map(toStored))).changes)
      return {
        run: (parameters) => ({ changes: run(parameters) }),
        runAll: (lists) => lists.map(run),
        get(parameters) {
          const row = reported(() => reading(false).get(...parameters.map(toStored))) as
            | Record<string, SqlValue>
            | undefined
          for (const name in row) row[name] = fromStored(row[name] as SqlValue)
          return row
        },
        all(parameters) {
          const rows = reported(() => reading(true).all(...parameters.map(toStored))) as SqlValue[][]
          for (const row of rows) for (let i = 0; i < row.length; i++) row[i] = fromStored(row[i] as SqlValue)
          return rows
        },
      }
    },
    exec: (sql) => reported(() => driver.exec(sql)),
    list: (texts) => JSON.stringify(texts.map(toStoredText)),
    readAhead() {
      ahead ??= readAhead(path)
    },
    close() {
      ahead?.stop()
      atTheEnd(driver)
      driver.close()
    },
  }
}

function toStored(value: SqlValue): SqlValue {
  return typeof value === "string" ? toStoredText(value) : value
}

function fromStored(value: SqlValue): SqlValue {
  return typeof value === "string" ? fromStoredText(value) : value
}

/** SQLite's codes of a file that could not be read or written, and of a full disk. */
const diskCodes: ReadonlySet<number> = new Set([10, 13])

function isOfTheDisk(error: unknown): boolean {
  return diskCodes.has(codeOf(error))
}

/** SQLite's code of a file whose pages are not what they must be. */
const damageCode = 11

/** SQLite's code for a lock that was not to be had in time. */
const busyCode = 5

function isInTheWay(error: unknown): boolean {
  return codeOf(error) === busyCode
}

/** The words of the codes that are looked for: of a statement that returns rows the driver gives no code. */
const codesByWords: ReadonlyMap<string, number> = new Map([
  ["database is locked", busyCode],
  ["disk I/O error", 10],
  ["database disk image is malformed", damageCode],
  ["database or disk is full", 13],
])

/** The low byte of SQLite's code; the others say more. */
function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0
  return "errcode" in error ? Number(error.errcode) & 0xff : (codesByWords.get(error.message) ?? 0)
}

function damaged(path: string, cause: unknown): UsageError {
  return new UsageError("the store is damaged", {
    code: "store_damaged",
    where: path,
    hint: "see what is wrong, and put right what can be, with: evalkit doctor --store --repair",
    cause,
  })
}

function cannotWrite(path: string, cause: unknown): UsageError {
  return new UsageError(`the store cannot be written: ${messageOf(cause)}`, {
    code: "cannot_write",
    where: path,
    hint: "make room on its disk, then go on with: evalkit run --resume",
    cause,
  })
}

/** @throws {MissingPackageError} where the package has no binary for this machine */
export function loadDriver(): typeof DatabaseSync {
  try {
    return (createRequire(import.meta.url)("@photostructure/sqlite") as { DatabaseSync: typeof DatabaseSync })
      .DatabaseSync
  } catch (error) {
    throw new MissingPackageError("@photostructure/sqlite", "the run store", error)
  }
}
