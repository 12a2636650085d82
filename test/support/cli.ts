import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The built command line; `npm test` builds it first. */
export const cliPath = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))

/** How a command ended. */
export interface CliResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Where and how a command runs. */
export interface CliOptions {
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  /** Which `bin.js` is run; default: the clone's own. */
  readonly program?: string
  /** Milliseconds after which it is ended. Default: a minute. */
  readonly limitMs?: number
  /** Receives the process, to signal it. */
  started?(child: ChildProcess): void
}

/** Runs a command of the built evalkit in a process of its own, at most for a minute or as long as it says. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [options.program ?? cliPath, ...args], {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: "1", ...options.environment },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: options.limitMs ?? 60_000,
      killSignal: "SIGKILL",
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.on("error", reject)
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }))
    options.started?.(child)
  })
}
