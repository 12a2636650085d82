import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { UsageError } from "../core/errors.ts"
import { isRunId } from "../core/run/run-id.ts"
import { openPlainDatabase } from "./sqlite/database.ts"
import type { Database } from "./tables/database.ts"

/**
 * The right to write to a store. It is a lock of SQLite, and with it of the operating system, on a file of its own: it ends
 * with its process, however that ends, and does not depend on process ids, which containers share. Beside it a note says who
 * holds it and is renewed while they live, for folders on a network whose locks do not reach other hosts.
 */
export interface WriterLock {
  /** Gives the lock back; the second time nothing happens. */
  release(): void
}

/** A note that nobody has renewed for so long belongs to a writer that is gone, in milliseconds. */
const leaseMs = 120_000
const renewEveryMs = 15_000
/** Who only looks whether there is a writer holds the lock for a moment, in milliseconds. */
const patienceMs = 1_000

/**
 * Takes the writer's lock of the store in a folder.
 *
 * @param run a run that is written beside the store's writer: the lock of this run alone
 * @throws {UsageError} `store_locked` naming the other writer
 */
export function takeWriterLock(directory: string, run?: string): WriterLock {
  const path = lockPath(directory, run)
  const database = openPlainDatabase(path, patienceMs)
  try {
    database.exec("BEGIN IMMEDIATE")
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    throw locked(path, readNote(path))
  }
  const note = readNote(path)
  if (note && note.host !== hostname() && isFresh(path)) {
    end(database)
    throw locked(path, note)
  }
  writeFileSync(notePath(path), JSON.stringify({ host: hostname(), pid: process.pid, since: new Date().toISOString() }))
  const renewal = setInterval(() => renew(path), renewEveryMs)
  renewal.unref()
  let isHeld = true
  return {
    release() {
      if (!isHeld) return
      isHeld = false
      clearInterval(renewal)
      rmSync(notePath(path), { force: true })
      end(database)
      if (run !== undefined) rmSync(path, { force: true })
    },
  }
}

/** Whether a run has a lock of its own, held or left behind by a process that was killed. */
export function hasOwnLock(directory: string, run: string): boolean {
  return isRunId(run) && existsSync(lockPath(directory, run))
}

/** Whether a process writes to the store in a folder now, or to a run that has a lock of its own. Leaves nothing behind. */
export function hasWriter(directory: string, run?: string): boolean {
  const path = lockPath(directory, run)
  if (!existsSync(path)) return false
  const note = readNote(path)
  if (note && note.host !== hostname()) return isFresh(path)
  let database: Database
  try {
    database = openPlainDatabase(path, 0)
  } catch {
    return note !== null && isFresh(path)
  }
  try {
    database.exec("BEGIN IMMEDIATE")
    return false
  } catch {
    return true
  } finally {
    end(database)
  }
}

interface Note {
  readonly host: string
  readonly pid: number
  readonly since: string
}

function lockPath(directory: string, run?: string): string {
  return `${directory}/${run === undefined ? "writer" : `bench-${run}`}.db`
}

function notePath(path: string): string {
  return `${path}.holder`
}

function readNote(path: string): Note | null {
  try {
    return JSON.parse(readFileSync(notePath(path), "utf8")) as Note
  } catch {
    return null
  }
}

function isFresh(path: string): boolean {
  const renewed = statSync(notePath(path), { throwIfNoEntry: false })?.mtimeMs
  return renewed !== undefined && Date.now() - renewed < leaseMs
}

function renew(path: string): void {
  try {
    utimesSync(notePath(path), new Date(), new Date())
  } catch {
    // The folder is gone, or cannot be written any more: the run will say so itself.
  }
}

function end(database: Database): void {
  try {
    database.exec("ROLLBACK")
  } catch {
    // Nothing was begun.
  }
  database.close()
}

function isBusy(error: unknown): boolean {
  return /busy|locked/i.test(error instanceof Error ? `${error.message} ${"code" in error ? error.code : ""}` : "")
}

function locked(path: string, note: Note | null): UsageError {
  const who = note ? ` (process ${note.pid} on ${note.host}, since ${note.since})` : ""
  return new UsageError("the store is being written by another process", {
    code: "store_locked",
    where: `${path}${who}`,
    hint: "wait for it to end, or give this run a directory of its own",
  })
}
