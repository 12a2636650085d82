import { main } from "../../src/cli/main.ts"
import { fakeIo } from "./fake-io.ts"

/** How a command line ended that was called as a function. */
export interface CalledCli {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a whole command line as a function of this process: a process of its own costs one to two seconds of processor time. What a
 * test says of signals, of the end of a process or of its streams needs `runCli`.
 */
export async function callCli(
  args: readonly string[],
  { cwd, environment = {} }: { readonly cwd: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<CalledCli> {
  const io = fakeIo({ cwd, environment })
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  // What is no command's own, such as an embedder's service, reads its key from the environment of the process.
  Object.assign(process.env, environment)
  try {
    const code = await main(args, io)
    return { code, stdout: io.stdout(), stderr: io.stderr() }
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}
