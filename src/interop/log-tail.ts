import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { UsageError } from "../core/errors.ts"
import { type ForeignRecord, isRecord } from "../core/foreign/foreign-log.ts"
import { temporaryFolder } from "../platform/temporary-folder.ts"
import { createOccasions } from "./occasions.ts"
import { openForeignLog } from "./recognise.ts"

/** A log that grows. */
export interface LogTail {
  /** What was added since the last pass, whole lines alone. @throws {UsageError} for a file that is no log of lines */
  records(): AsyncGenerator<ForeignRecord>
}

/** Bytes that are read at a time; a line that is longer is left out. */
const maxBytes = 64 * 2 ** 20

/**
 * Follows a file of JSON lines, or all of a folder in the order of their names, those that come later too.
 *
 * @param path absolute
 * @param source the path as a person gave it
 */
export function followLog(path: string, source: string): LogTail {
  const ends = new Map<string, number>()
  const occasions = createOccasions()
  return {
    async *records() {
      const added = join(await temporaryFolder(), "added.jsonl")
      const isFolder = statSync(path).isDirectory()
      for (const file of isFolder ? filesIn(path) : [path])
        for (let lines = addedLines(file, ends); lines.length > 0; lines = addedLines(file, ends)) {
          writeFileSync(added, lines, { mode: 0o600 })
          const log = await openForeignLog(added, source)
          if (!log && !isFolder)
            throw new UsageError("the file is no log of lines that evalkit knows", {
              where: source,
              hint: "docs/logs.md names the logs that are read; packed ones and tables are not followed",
            })
          for await (const read of log?.records() ?? [])
            if (isRecord(read)) yield { ...read, repeat: occasions.next(read.variant, read.sample.id) }
        }
    },
  }
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => /\.(?:jsonl|ndjson|log)$/.test(name))
  return names.sort().map((name) => join(folder, name))
}

/** The whole lines behind those that were read; of a file that became shorter, all. */
function addedLines(path: string, ends: Map<string, number>): Buffer {
  const file = openSync(path, "r")
  try {
    const { size } = fstatSync(file)
    const existing = ends.get(path) ?? 0
    const begin = existing > size ? 0 : existing
    const bytes = Buffer.alloc(Math.min(size - begin, maxBytes))
    const length = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, begin)
    const end = bytes.lastIndexOf(10, length - 1) + 1
    ends.set(path, begin + (end === 0 && length === maxBytes ? length : end))
    return bytes.subarray(0, length === 0 ? 0 : end)
  } finally {
    closeSync(file)
  }
}
