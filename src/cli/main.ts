import yargs from "yargs"
import { EvalkitError, ExitCode, messageOf } from "../core/errors.ts"
import type { CommandIo } from "./command.ts"
import { commandTable } from "./command-table.ts"

/** Parses the command line, runs one command and returns the exit code. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  let exitCode: number = ExitCode.ok
  const parser = yargs([...argv])
    .scriptName("evalkit")
    .usage("$0 <command>\n\nMay we make this swap? Quality, speed and cost of language models, from the same calls.")
    .strict()
    .demandCommand(1, "Name a command.")
    .recommendCommands()
    .wrap(Math.min(100, io.columns))
    .exitProcess(false)
    .version(false)
    .option("version", { type: "boolean", describe: "print the version" })
    .epilogue(
      "exit codes: 0 fine · 1 fault · 2 usage · 3 gate failed · 4 inconclusive · 5 incomplete · 130 interrupted",
    )
    .fail((message, error) => {
      if (error) throw error
      throw new EvalkitError(message ?? "wrong usage", {
        code: "usage",
        hint: "see: evalkit --help",
        exitCode: ExitCode.usage,
      })
    })
  for (const entry of commandTable) {
    let loaded: Awaited<ReturnType<typeof entry.load>>
    parser.command(
      entry.usage,
      entry.describe,
      async (y) => {
        loaded = await entry.load()
        return loaded.command.options(y)
      },
      async (args) => {
        exitCode = await loaded.command.run(args, io)
      },
    )
  }
  try {
    if (argv[0] === "--version" || argv[0] === "-v") {
      const { createRequire } = await import("node:module")
      const require = createRequire(import.meta.url)
      io.out(`${(require("evalkit/package.json") as { version: string }).version}\n`)
      return ExitCode.ok
    }
    let help = ""
    await parser.parseAsync([...argv], {}, (_error, _args, output) => {
      help = output
    })
    if (help && exitCode === ExitCode.ok) io.out(`${help}\n`)
    return exitCode
  } catch (error) {
    io.err(`evalkit: ${messageOf(error)}\n`)
    if (!(error instanceof EvalkitError) && io.environment.EVALKIT_DEBUG && error instanceof Error)
      io.err(`${error.stack}\n`)
    return error instanceof EvalkitError ? error.exitCode : ExitCode.fault
  }
}
