import { EvalkitError, ExitCode, messageOf } from "../core/errors.ts"
import { packageVersion } from "../platform/version.ts"
import { plainLines } from "../words/text.ts"
import { asCalled } from "./arguments/as-called.ts"
import { withSafeErrors } from "./arguments/screen.ts"
import type { CommandIo } from "./command.ts"
import { generalHelp } from "./help.ts"

/**
 * Runs one command line and returns its exit code. Errors that evalkit throws on purpose are printed as one message without
 * a stack; EVALKIT_DEBUG shows the stack of the others.
 */
export async function main(argv: readonly string[], commandIo: CommandIo): Promise<number> {
  const io = withSafeErrors(commandIo)
  try {
    const [first] = argv
    const command = first === "help" ? argv[1] : undefined
    if (command === undefined && (first === undefined || first === "--help" || first === "-h" || first === "help")) {
      io.out(generalHelp(io.columns))
      return first === undefined ? ExitCode.usage : ExitCode.ok
    }
    if (first === "--version" || first === "-v") {
      io.out(`${packageVersion()}\n`)
      return ExitCode.ok
    }
    const { runCommand } = await import("./run-command.ts")
    return await runCommand(command === undefined ? argv : [command, "--help"], io)
  } catch (error) {
    // What an interrupt cuts off in the middle says so in many words: a file's stream, a download, a server's start.
    if (io.signal.aborted && !(error instanceof EvalkitError)) {
      io.err("evalkit: interrupted\n")
      return ExitCode.interrupted
    }
    // Messages quote files and servers: nothing in them may reach the terminal as a command.
    io.err(`evalkit: ${asCalled(plainLines(messageOf(error)), io.environment)}\n`)
    if (error instanceof EvalkitError) return error.exitCode
    if (io.environment.EVALKIT_DEBUG && error instanceof Error) io.err(`${error.stack}\n`)
    return ExitCode.fault
  }
}
