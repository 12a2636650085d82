import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { CalledCli } from "../call-cli.ts"
import { cliPath } from "../cli.ts"

/** A process of the built evalkit that runs one command line after the other. */
export interface CliProcess {
  /** Runs a command line; one at a time. */
  run(args: readonly string[]): Promise<CalledCli>
  /** Ends the process, and waits until it has. */
  end(): Promise<void>
}

const lines = fileURLToPath(new URL("run-lines.mjs", import.meta.url))

/**
 * Starts a process that runs command lines as `runCli` would, in the same folder: as a user has them, for the price of one start instead
 * of one for each. It loads the path of a config once, and what is said of signals, of streams and of a process's end needs `runCli`.
 */
export function startCliProcess({
  cwd,
  environment,
  program = cliPath,
}: {
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  /** Which `bin.js` is run; default: the clone's own. */
  readonly program?: string
}): CliProcess {
  const child = spawn(process.execPath, [lines, program], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...environment },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  })
  let said = ""
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  return {
    run: (args) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`the process ended with ${code}: ${said}`))
        child.once("close", ended)
        child.once("message", (message) => {
          child.off("close", ended)
          resolve(message as CalledCli)
        })
        child.send(args)
      }),
    end: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once("close", () => resolve())
        child.kill("SIGKILL")
      }),
  }
}
