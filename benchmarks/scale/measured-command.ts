import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const cli = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))

/** What a command took. */
export interface CommandCost {
  readonly seconds: number
  /** Of all its threads, user and system. */
  readonly cpuSeconds: number
  /** Highest resident memory. */
  readonly peakMebibytes: number
  /** What it wrote to files. */
  readonly writtenMegabytes: number
}

/** Runs a command of the built evalkit in a process of its own, and reads from /proc what it took (Linux). */
export function measureCommand(args: readonly string[], cwd: string): Promise<CommandCost> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ["ignore", "ignore", "pipe"] })
    let stderr = ""
    child.stderr.on("data", (text) => (stderr += String(text)))
    let last = { cpuSeconds: 0, peakMebibytes: 0, writtenMegabytes: 0 }
    const timer = setInterval(() => {
      const now = readCost(child.pid as number)
      // A process that has just ended has no memory any more.
      if (now && Number.isFinite(now.peakMebibytes)) last = now
    }, 20)
    child.once("error", reject)
    child.once("exit", (code) => {
      clearInterval(timer)
      // 4: the verdict of a comparison is open.
      if (code === 0 || code === 4) resolve({ seconds: (performance.now() - started) / 1000, ...last })
      else reject(new Error(`evalkit ${args.join(" ")} ended with ${code}: ${stderr.slice(-500)}`))
    })
  })
}

function readCost(pid: number): Omit<CommandCost, "seconds"> | null {
  try {
    const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8")
    const times = read("stat").split(") ")[1]?.split(" ") ?? []
    const field = (text: string, name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1])
    return {
      cpuSeconds: (Number(times[11]) + Number(times[12])) / 100,
      peakMebibytes: field(read("status"), "VmHWM") / 1024,
      writtenMegabytes: field(read("io"), "wchar") / 1e6,
    }
  } catch {
    return null
  }
}
