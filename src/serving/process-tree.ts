import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { fieldsAfterName, type ProcessRow, readProcFile, readProcRows, sharedProcRows } from "./proc-files.ts"

/** What a process and its descendants use at one moment. */
export interface TreeUsage {
  readonly rssBytes: number
  /** The kernel's peak of a tree that is one process; null for several, and where the kernel keeps none. */
  readonly highWaterBytes: number | null
  /** User and system time since the start, with children that have ended. */
  readonly cpuSeconds: number
  readonly processes: number
}

/** Reads one process tree again and again. */
export interface TreeReader {
  /** Null when the process is gone or cannot be seen. `afresh`: look for new descendants now. */
  read(afresh?: boolean): Promise<TreeUsage | null>
  /** Why nothing can be read. */
  reason(): string
}

/** `/proc` on Linux, `ps` on macOS and the BSDs. */
export function createTreeReader(pid: number): TreeReader {
  if (process.platform === "linux") return createProcReader(pid)
  if (process.platform === "win32")
    return { read: () => Promise.resolve(null), reason: () => "memory of other processes is not read on Windows" }
  return { read: () => readWithPs(pid), reason: () => "ps did not list the process" }
}

/** Linux counts CPU time in hundredths of a second for user space, whatever the kernel's own tick is. */
const ticksPerSecond = 100

/** Looks for new descendants at every tenth reading, and when told to: that walks all of `/proc`. */
function createProcReader(root: number): TreeReader {
  let pids: readonly number[] = [root]
  let readings = 0
  return {
    reason: () => "/proc does not show the process",
    async read(afresh = false) {
      if (afresh || readings++ % 10 === 0) pids = treeIn(await (afresh ? readProcRows() : sharedProcRows()), root)
      const usages = pids.map(readProcess).filter((usage) => usage !== null)
      if (usages.length === 0) return null
      return {
        rssBytes: usages.reduce((sum, usage) => sum + usage.rssBytes, 0),
        highWaterBytes: usages.length === 1 ? usages[0]!.highWaterBytes : null,
        cpuSeconds: usages.reduce((sum, usage) => sum + usage.cpuSeconds, 0),
        processes: usages.length,
      }
    },
  }
}

function readProcess(pid: number): Omit<TreeUsage, "processes"> | null {
  try {
    const status = readProcFile(`/proc/${pid}/status`)
    const rssBytes = readKilobytes(status, "VmRSS")
    if (rssBytes === null) return null
    const ticks = fieldsAfterName(readProcFile(`/proc/${pid}/stat`))
      .slice(11, 15)
      .reduce((sum, field) => sum + Number(field), 0)
    return { rssBytes, highWaterBytes: readKilobytes(status, "VmHWM"), cpuSeconds: ticks / ticksPerSecond }
  } catch {
    return null
  }
}

function readKilobytes(status: string, field: string): number | null {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)
  return match ? Number(match[1]) * 1024 : null
}

/** Processes that belong to a root: its descendants, and the members of the group that it leads, also after it has gone. */
export async function membersOf(root: number): Promise<ReadonlySet<number>> {
  const rows = process.platform === "linux" ? await readProcRows() : await readPsRows()
  const tree = descendants(root, new Map(rows.map(({ pid, parent }) => [pid, parent])))
  return new Set([...tree, ...rows.filter(({ group }) => group === root).map(({ pid }) => pid)])
}

async function readPsRows(): Promise<readonly ProcessRow[]> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,pgid="], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group] = line.trim().split(/\s+/).map(Number)
    return pid && parent !== undefined && group !== undefined ? [{ pid, parent, group }] : []
  })
}

function treeIn(rows: readonly ProcessRow[], root: number): readonly number[] {
  return descendants(root, new Map(rows.map(({ pid, parent }) => [pid, parent])))
}

/** The root and all whose chain of parents leads to it. */
function descendants(root: number, parents: ReadonlyMap<number, number>): readonly number[] {
  const tree = [root]
  for (const parent of tree) for (const [pid, of] of parents) if (of === parent && pid !== parent) tree.push(pid)
  return tree
}

async function readWithPs(root: number): Promise<TreeUsage | null> {
  const maxBuffer = 16 * 1024 * 1024
  try {
    return readPs((await promisify(execFile)("ps", ["-axo", "pid=,ppid=,rss=,time="], { maxBuffer })).stdout, root)
  } catch {
    return null
  }
}

/**
 * A process tree in the output of `ps -axo pid=,ppid=,rss=,time=`: RSS in KiB and CPU time as `[[dd-]hh:]mm:ss[.cc]` of
 * every process, added up. Null when the root is not in it.
 */
export function readPs(output: string, root: number): TreeUsage | null {
  const rows = output.split("\n").flatMap((line) => {
    const [pid, parent, rss, time = ""] = line.trim().split(/\s+/)
    return time === "" ? [] : [{ pid: Number(pid), parent: Number(parent), rss: Number(rss) * 1024, time }]
  })
  const tree = new Set(descendants(root, new Map(rows.map(({ pid, parent }) => [pid, parent]))))
  const own = rows.filter(({ pid }) => tree.has(pid))
  if (!own.some(({ pid }) => pid === root)) return null
  return {
    rssBytes: own.reduce((sum, { rss }) => sum + rss, 0),
    highWaterBytes: null,
    cpuSeconds: own.reduce((sum, { time }) => sum + parsePsTime(time), 0),
    processes: own.length,
  }
}

/** @example parsePsTime("1-02:03:04.5") // 93784.5 */
function parsePsTime(text: string): number {
  const [days, clock] = text.includes("-") ? (text.split("-") as [string, string]) : ["0", text]
  return clock.split(":").reduce((total, part) => total * 60 + Number(part), 0) + Number(days) * 86_400
}
