import { type ChildProcess, spawn } from "node:child_process"
import { type FSWatcher, mkdirSync, watch } from "node:fs"
import { join } from "node:path"
import { cliPath } from "../cli.ts"

/** When a command is killed: so much after the n-th mark of a kind that it made. */
export interface Kill {
  /** A line that the config writes to file descriptor 3, or `lock`: the store was locked, and is about to be opened. */
  readonly mark: string
  /** From 1. */
  readonly nth: number
  readonly delayMs: number
}

/** How a command ended. */
export interface MarkedEnd {
  readonly code: number | null
  readonly isKilled: boolean
  readonly stdout: string
  readonly stderr: string
  /** Marks that it made, by kind. */
  readonly marks: ReadonlyMap<string, number>
  /** From the lock of the store to the end of the process, in milliseconds. */
  readonly openMs: number
}

/** Runs a command of the built evalkit, and kills it with SIGKILL where that is wanted. */
export async function runMarked(args: readonly string[], cwd: string, kill: Kill | null = null): Promise<MarkedEnd> {
  const marks = new Map<string, number>()
  let lockedMs = Number.NaN
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: 600_000,
    killSignal: "SIGTERM",
  })
  const passed = (mark: string): void => {
    const times = (marks.get(mark) ?? 0) + 1
    marks.set(mark, times)
    if (mark === "lock") lockedMs = performance.now()
    if (kill?.mark === mark && kill.nth === times) setTimeout(() => child.kill("SIGKILL"), kill.delayMs)
  }
  const watching = watchLock(cwd, () => passed("lock"))
  readMarks(child, passed)
  let [stdout, stderr] = ["", ""]
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  watching.close()
  const isKilled = child.signalCode === "SIGKILL"
  return { code, isKilled, stdout, stderr, marks, openMs: performance.now() - lockedMs }
}

/** The note beside the lock is written once a process has it, just before it opens the store. */
function watchLock(cwd: string, onLock: () => void): FSWatcher {
  const folder = join(cwd, ".evalkit")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let isSeen = false
  return watch(folder, (_, name) => {
    if (isSeen || name !== "writer.db.holder") return
    isSeen = true
    onLock()
  })
}

function readMarks(child: ChildProcess, onMark: (mark: string) => void): void {
  const stream = child.stdio[3] as NodeJS.ReadableStream
  let rest = ""
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) onMark(line)
  })
  stream.on("error", () => {})
}
