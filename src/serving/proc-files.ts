import { closeSync, openSync, readdirSync, readSync } from "node:fs"

/** A process of the process table. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
}

/** Processes that are read in one go: a moment each, so that answers that come meanwhile are stamped in time. */
const atOnce = 32
const buffer = Buffer.allocUnsafe(16 * 1024)

/**
 * A file below `/proc`, whose text the kernel makes in memory. Read at once and into one buffer: through the thread pool each of these
 * readings takes ten times as long and leaves half a megabyte to be collected, which is what measuring must not do.
 *
 * @throws {Error} where it is gone, or may not be read
 */
export function readProcFile(path: string): string {
  const file = openSync(path, "r")
  try {
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0))
  } finally {
    closeSync(file)
  }
}

/** Fields 3 and on of `/proc/PID/stat`; the name before them may itself hold spaces and parentheses. */
export function fieldsAfterName(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** Every process of this machine, a few at a time. */
export async function readProcRows(): Promise<readonly ProcessRow[]> {
  const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const rows: ProcessRow[] = []
  for (const [index, name] of names.entries()) {
    if (index % atOnce === atOnce - 1) await new Promise((resolve) => setImmediate(resolve))
    try {
      const [, parent, group] = fieldsAfterName(readProcFile(`/proc/${name}/stat`))
      rows.push({ pid: Number(name), parent: Number(parent), group: Number(group) })
    } catch {
      // It ended between the two reads.
    }
  }
  return rows
}

/** Longest time for which a reading of all processes serves all who watch some of them, in milliseconds. */
const sharedForMs = 4000
let shared: { readonly atMs: number; readonly rows: Promise<readonly ProcessRow[]> } | null = null

/** As {@link readProcRows}, but by one reading for all servers that are watched at once; up to four seconds old. */
export function sharedProcRows(): Promise<readonly ProcessRow[]> {
  const nowMs = performance.now()
  if (shared === null || nowMs - shared.atMs > sharedForMs) shared = { atMs: nowMs, rows: readProcRows() }
  return shared.rows
}
