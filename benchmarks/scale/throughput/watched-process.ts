import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"

/** A process whose words are kept. */
export interface WatchedProcess {
  readonly pid: number
  said(): string
  /** Waits until it has said something like this. @throws when it ends, or three minutes pass, without it */
  says(pattern: RegExp): Promise<string>
  /** Its exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  kill(): void
}

const limitMs = 180_000

/** Starts a process; where it forks with a channel, it ends with this one. */
export function watchProcess(command: readonly string[], options: Pick<SpawnOptions, "cwd" | "env">): WatchedProcess {
  const [program = "", ...args] = command
  const child: ChildProcess = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe", "ipc"] })
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return {
    pid: child.pid as number,
    said: () => said,
    async says(pattern) {
      const untilMs = Date.now() + limitMs
      for (let result = pattern.exec(said); ; result = pattern.exec(said)) {
        if (result) return result[0]
        if (child.exitCode !== null || Date.now() > untilMs)
          throw new Error(`did not say ${pattern}: ${said.slice(-800)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    ended,
    kill: () => child.kill("SIGKILL"),
  }
}
