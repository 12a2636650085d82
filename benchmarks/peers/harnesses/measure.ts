import { spawn } from "node:child_process"
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** What a command and all that it started took. */
export interface TreeCost {
  readonly seconds: number
  /** User and system. */
  readonly cpuSeconds: number
  /** Most resident memory of all its processes at one time; what they share counts in each. */
  readonly peakMebibytes: number
  /** Null: it was killed. */
  readonly code: number | null
}

/** A command of a tool. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * Runs a command in a session of its own (Linux) and measures it; its output goes to `output.txt` in its folder. Every process of the session is
 * killed (SIGKILL) once `isOver` answers true, which is asked ten times a second.
 *
 * @throws if it runs for longer than ten minutes
 */
export async function measureTree(
  { program, args, cwd, env }: Command,
  isOver: () => Promise<boolean> = async () => false,
): Promise<TreeCost> {
  const output = openSync(join(cwd, "output.txt"), "a")
  const started = performance.now()
  // The shell adds up the times of all processes that it and its children waited for.
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>&4; } 4>&2 2>times.txt'
  const child = spawn("bash", ["-c", script, "-", program, ...args], {
    ...{ cwd, env, detached: true, stdio: ["ignore", output, output] },
  })
  closeSync(output)
  const pid = child.pid as number
  let peakMebibytes = 0
  let isRunning = true
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)))
  void ended.then(() => {
    isRunning = false
  })
  let isKilled = false
  while (isRunning) {
    peakMebibytes = Math.max(peakMebibytes, residentMebibytes(pid))
    const tooLong = performance.now() - started > 600_000
    if (!isKilled && (tooLong || (await isOver()))) {
      process.kill(-pid, "SIGKILL")
      isKilled = true
      if (tooLong) throw new Error(`${program} ran for more than ten minutes`)
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  const code = await ended
  const seconds = (performance.now() - started) / 1000
  const times = isKilled ? "" : readFileSync(join(cwd, "times.txt"), "utf8")
  const cpuSeconds = isKilled
    ? Number.NaN
    : times
        .trim()
        .split(" ")
        .map(Number)
        .reduce((a, b) => a + b, 0)
  return { seconds, cpuSeconds, peakMebibytes, code }
}

/** Of all processes whose session is the process's own. */
function residentMebibytes(session: number): number {
  let pages = 0
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
      if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]) !== session) continue
      pages += Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1])
    } catch {
      // It has ended.
    }
  }
  return (pages * 4) / 1024
}
