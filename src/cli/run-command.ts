import { ExitCode } from "../core/errors.ts"
import { withOptions } from "./arguments/options.ts"
import { listNames, refuseRepeated } from "./arguments/repeated-options.ts"
import { onScreen } from "./arguments/screen.ts"
import { type FaultyLine, faultStrings, refuseValues, unknownCommand, usageFault } from "./arguments/usage-fault.ts"
import type { Command, CommandIo } from "./command.ts"
import { commandTable } from "./command-table.ts"
import { withLoneDashes } from "./files/lone-dash.ts"

/** Runs the command that a line names, or prints its help: loaded when there is one. @throws {EvalkitError} for a faulty line, or what the command throws */
export async function runCommand(written: readonly string[], io: CommandIo): Promise<number> {
  const argv = withLoneDashes(written)
  const [name = ""] = argv
  if (!name.startsWith("-") && !isCommand(name)) throw unknownCommand(name)
  const { default: yargs } = await import("yargs")
  const { examplesText } = await import("./arguments/examples.ts")
  let examples: Command["examples"] | null = null
  let exitCode: number = ExitCode.ok
  let line: FaultyLine = { argv, usage: null, options: null }
  const parser = yargs([...argv])
    .scriptName("evalkit")
    .usage("$0 <command>")
    .strict()
    .demandCommand(1, "no command is named")
    // Whatever the system's language is: the messages of the parser are read by kind, and its titles stand beside English texts.
    .detectLocale(false)
    .updateStrings(faultStrings)
    .wrap(Math.min(100, io.columns))
    .exitProcess(false)
    .version(false)
    .completion("completion", "print a script that completes commands and options in bash or zsh")
    .fail((message, error) => {
      if (error) throw error
      throw usageFault(message ?? "wrong usage", line)
    })
  const completes = argv.includes("--get-yargs-completions")
  for (const entry of commandTable) {
    let command: Command
    let lists: ReadonlySet<string> = new Set()
    parser.command(
      entry.usage,
      entry.describe,
      async (options) => {
        command = (await entry.load()).command
        const builder = withOptions(options, command)
        examples = command.examples
        line = { argv, usage: entry.usage, options: builder }
        if (completes)
          for (const [name, values] of Object.entries(command.suggestions ?? {})) builder.choices(name, values)
        lists = listNames(builder, entry.usage)
        return builder
      },
      async (args) => {
        refuseValues(args, line, command.mayBeBare)
        refuseRepeated(args, lists)
        exitCode = await command.run(args, onScreen(io, command, args))
      },
    )
  }
  let help = ""
  try {
    await parser.parseAsync([...argv], {}, (_error, _args, output) => {
      help = output
    })
  } catch (error) {
    // What yargs throws of its own says what is missing on the line; other errors come from the command.
    if (!(error instanceof Error && error.name === "YError")) throw error
    throw usageFault(error.message, line)
  }
  if (help !== "") io.out(`${help}${examples ? examplesText(examples, Math.min(100, io.columns)) : ""}\n`)
  return exitCode
}

function isCommand(name: string): boolean {
  return name === "completion" || commandTable.some(({ usage }) => usage.split(" ")[0] === name)
}
