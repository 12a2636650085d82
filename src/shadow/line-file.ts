import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readSync, writeSync } from "node:fs"
import { join } from "node:path"

/** A file of lines that only grows: what was appended is there after the process was killed. */
export interface LineFile {
  /** Writes whole lines: all of them, or none. @throws the system's error, such as ENOSPC; the file is then as it was */
  append(lines: string): void
  close(): void
}

/** Bytes that the last lines are looked for in: those of a pair whose answers are as long as they may be. */
const tailBytes = 32 * 1024 * 1024

/**
 * Opens a file of lines, or makes it, for its user alone. A line that a crash cut off is taken away, and with it those before it that say
 * nothing without it.
 *
 * @param isLast whether a line may be the last one; default: any
 */
export function openLineFile(path: string, isLast: (line: string) => boolean = () => true): LineFile {
  const file = openSync(path, "a+", 0o600)
  let size = wholeLength(file, isLast)
  ftruncateSync(file, size)
  return {
    append(lines) {
      const bytes = Buffer.from(lines)
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
        size += bytes.length
      } catch (error) {
        ftruncateSync(file, size)
        throw error
      }
    },
    close: () => closeSync(file),
  }
}

/**
 * The same with a file for each day (UTC) in a folder, `NAME-2026-11-29.jsonl`: older ones can be moved or removed while the newest grows. What a
 * crash cut off is taken away from the newest. A clock that is set back goes on with it.
 *
 * @param wallMs milliseconds since 1970
 */
export function openDailyFile(
  folder: string,
  name: string,
  wallMs: () => number,
  isLast?: (line: string) => boolean,
): LineFile {
  const pathOf = (day: string) => join(folder, `${name}-${day}.jsonl`)
  const dated = new RegExp(`^${name}-(\\d{4}-\\d\\d-\\d\\d)\\.jsonl$`)
  const days = readdirSync(folder).flatMap((entry) => dated.exec(entry)?.[1] ?? [])
  let day = days.sort().at(-1) ?? ""
  let file = day === "" ? null : openLineFile(pathOf(day), isLast)
  const ofToday = (): LineFile => {
    const today = new Date(wallMs()).toISOString().slice(0, 10)
    if (file && today <= day) return file
    const next = openLineFile(pathOf(today), isLast)
    file?.close()
    ;[file, day] = [next, today]
    return next
  }
  ofToday()
  return { append: (lines) => ofToday().append(lines), close: () => file?.close() }
}

function wholeLength(file: number, isLast: (line: string) => boolean): number {
  const { size } = fstatSync(file)
  const tail = Buffer.alloc(Math.min(size, tailBytes))
  readSync(file, tail, 0, tail.length, size - tail.length)
  let end = tail.lastIndexOf(10) + 1
  while (end > 0) {
    const start = tail.lastIndexOf(10, end - 2) + 1
    if (isLast(tail.toString("utf8", start, end - 1))) break
    end = start
  }
  return size - tail.length + end
}
