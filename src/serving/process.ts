import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { createLogTail, type LogTail } from "./log-tail.ts"
import { startParentGuard } from "./parent-guard.ts"

/** The lines that a process is spoken with over: the parts of Node's streams that are used, so that the types need none of Node's. */
export interface ProcessPipes {
  readonly input: {
    readonly writable: boolean
    /** False when nothing more should be written before `drain`. */
    write(text: string): boolean
    once(event: "drain", listener: () => void): unknown
    end(): unknown
  }
  readonly output: { on(event: "data", listener: (chunk: Uint8Array) => void): unknown }
}

/** A process of its own group that serves something. */
export interface ServerProcess {
  /** Null when it could not be started. */
  readonly pid: number | null
  readonly log: LogTail
  /** What is spoken with it over its standard input and output; null where it was not started to be spoken with. */
  readonly pipes: ProcessPipes | null
  /** Resolves with how it ended: `exit code 1`, `signal SIGKILL`, `cannot be started: …`. */
  readonly ended: Promise<string>
  /** How it ended, or null while it runs. */
  ending(): string | null
  /** SIGTERM to its group, SIGKILL after the grace; resolves when it is gone. Idempotent. */
  stop(graceMs: number): Promise<void>
}

/** Program, arguments and surroundings. */
export interface ProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** It is spoken with over its standard input and output, and logs to its standard error. Default: it has no input, and logs to both. */
  readonly isSpokenWith?: boolean
}

/** Groups that must not outlive this process, however it ends. */
const running = new Set<ChildProcess>()
let exitHooked = false

/**
 * Starts a program, without a shell, as the leader of a process group. Never throws: a failed start is an ending. The group ends
 * with this process, however this process ends; on Windows, where there are no groups, as far as taskkill finds its children.
 */
export function startProcess({ command, args, cwd, environment, isSpokenWith }: ProcessOptions): ServerProcess {
  const log = createLogTail()
  const guard = startParentGuard()
  const child = spawn(command, [...args], {
    cwd,
    env: { ...environment },
    detached: process.platform !== "win32",
    stdio: [isSpokenWith ? "pipe" : "ignore", "pipe", "pipe"],
    windowsHide: true,
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>
  if (child.pid !== undefined) guard.protect(child.pid)
  // Writing to a program that has ended is an ending like others.
  child.stdin?.on("error", () => {})
  if (!isSpokenWith) log.read(child.stdout)
  log.read(child.stderr)
  killAtExit(child)

  let ending: string | null = null
  const ended = new Promise<string>((resolve) => {
    const end = (how: string): void => {
      ending ??= how
      running.delete(child)
      // Members of the group that outlived their leader; without any, its number may soon be another's.
      signalGroup(child, "SIGKILL")
      guard.dismiss()
      resolve(ending)
    }
    child.once("error", (error) => end(`cannot be started: ${error.message}`))
    child.once("exit", (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`))
  })

  return {
    pid: child.pid ?? null,
    log,
    pipes: isSpokenWith && child.stdin ? { input: child.stdin, output: child.stdout } : null,
    ended,
    ending: () => ending,
    async stop(graceMs) {
      signalGroup(child, "SIGTERM")
      const timer = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs)
      await ended
      clearTimeout(timer)
      child.stdin?.destroy()
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

function killAtExit(child: ChildProcess): void {
  running.add(child)
  if (exitHooked) return
  exitHooked = true
  process.on("exit", () => {
    for (const left of running) signalGroup(left, "SIGKILL")
  })
}

/** A group that is already gone is fine. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === "win32") child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // ESRCH: no process is left in the group.
  }
}
