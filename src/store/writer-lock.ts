import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs"
import { UsageError } from "../core/errors.ts"

/**
 * Takes the store's writer lock: a file that holds the writer's process id. A lock whose process is gone is taken over.
 * @returns a function that gives the lock back
 * @throws {UsageError} naming the other writer's process id
 */
export function takeWriterLock(path: string): () => void {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = openSync(path, "wx")
      writeSync(file, String(process.pid))
      closeSync(file)
      return () => {
        if (readHolder(path) === process.pid) unlinkSync(path)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
      const holder = readHolder(path)
      if (holder !== null && isAlive(holder)) {
        throw new UsageError("the store is being written by another process", {
          code: "store_locked",
          where: `${path} (process ${holder})`,
          hint: "wait for it to end, or give this run a directory of its own",
        })
      }
      removeStale(path)
    }
  }
  throw new UsageError("the store's writer lock cannot be taken", {
    where: path,
    hint: "remove the file and try again",
  })
}

function readHolder(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10)
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}

function removeStale(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
