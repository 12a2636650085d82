import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { type CliOptions, cliPath } from "../cli.ts"

/** A reading of a process's memory. */
export interface MemoryReading {
  /** Since the start, in milliseconds. */
  readonly atMs: number
  /** Resident memory, in bytes. */
  readonly rss: number
}

/** How a command ended whose memory was watched. */
export interface MeasuredEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
  /** Every quarter of a second; empty where the system has no /proc. */
  readonly memory: readonly MemoryReading[]
}

/** Runs a command of the built evalkit to its end, and watches its memory from outside. */
export async function runMeasured(
  args: readonly string[],
  options: CliOptions & { onReading?(reading: MemoryReading): void; readonly limitMs?: number },
): Promise<MeasuredEnd> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: "1", ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: options.limitMs ?? 3_600_000,
    killSignal: "SIGKILL",
  })
  const memory: MemoryReading[] = []
  const timer = setInterval(() => {
    const rss = residentBytes(child.pid ?? 0)
    if (rss === null) return
    const reading = { atMs: performance.now() - startedMs, rss }
    memory.push(reading)
    options.onReading?.(reading)
  }, 250)
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  clearInterval(timer)
  return { code, stdout, stderr, seconds: (performance.now() - startedMs) / 1000, memory }
}

function residentBytes(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024 || null
  } catch {
    return null
  }
}
