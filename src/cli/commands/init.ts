import { access } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { createInterface } from "node:readline/promises"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { Command, CommandIo } from "../command.ts"
import { type Ask, completeChoices, type InitChoices, type Service, services } from "../init/choices.ts"
import { newFiles } from "../init/files.ts"
import { writeOutput } from "../output-file.ts"

/** `evalkit init`: a first config, ten questions and a CI workflow. */
export const command: Command = createInitCommand(openAsker)

/** Asks on a terminal; `close` gives the terminal back. */
export interface Asker {
  readonly ask: Ask
  close(): void
}

/** The command with its way of asking passed in; `openAsker` answers null where there is no terminal to ask at. */
export function createInitCommand(askerFor: (io: CommandIo) => Asker | null): Command {
  return {
    options: (yargs) =>
      yargs
        .positional("dir", { type: "string", default: ".", describe: "folder to write into" })
        .option("provider", { type: "string", describe: [...services.keys()].join(", ") })
        .option("baseline", { type: "string", describe: "model in use (for local: a GGUF file beside the config)" })
        .option("candidate", { type: "string", describe: "model to swap it for" })
        .option("yes", { type: "boolean", default: false, describe: "do not ask; use the defaults" })
        .option("force", { type: "boolean", default: false, describe: "overwrite existing files" })
        .option("json", { type: "boolean", default: false, describe: "print what was written as JSON" })
        .example("$0 init", "asks three questions")
        .example("$0 init eval --provider openai --baseline gpt-4.1 --candidate gpt-4.1-mini", "without questions"),

    async run(args, io) {
      const folder = resolve(io.cwd, String(args.dir ?? "."))
      const asker = args.yes ? null : askerFor(io)
      const choices = await completeChoices(givenChoices(args), asker?.ask ?? null).finally(() => asker?.close())
      const service = services.get(choices.provider) as Service
      const files = newFiles(choices, service).map(({ path, content }) => ({ path: join(folder, path), content }))
      if (!args.force) await refuseExisting(files.map(({ path }) => path))
      for (const { path, content } of files) {
        await writeOutput(path, (write) => write(content))
      }
      const written = files.map(({ path }) => relative(io.cwd, path) || path)
      if (args.json) io.out(`${JSON.stringify({ written, ...choices })}\n`)
      else io.out(nextSteps(written, service))
      return ExitCode.ok
    },
  }
}

function givenChoices(args: Readonly<Record<string, unknown>>): Partial<InitChoices> {
  return Object.fromEntries(
    (["provider", "baseline", "candidate"] as const).flatMap((name) => {
      const value = args[name]
      return typeof value === "string" && value !== "" ? [[name, value]] : []
    }),
  )
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  const present: string[] = []
  for (const path of paths)
    await access(path).then(
      () => present.push(path),
      () => {},
    )
  if (present.length > 0)
    throw new UsageError("These files exist already; nothing was written", {
      code: "file_exists",
      where: present.join(", "),
      hint: "choose another folder, or overwrite them with --force",
    })
}

function nextSteps(written: readonly string[], { keyVariable, first }: Service): string {
  const steps = [
    ...(keyVariable ? [`export ${keyVariable}=...`] : []),
    ...(first ? [first] : []),
    `evalkit doctor ${written[0]}`,
    `evalkit run ${written[0]} --dry-run`,
    `evalkit run ${written[0]}`,
  ]
  return [
    ...written.map((path) => `wrote ${path}`),
    "",
    "Next:",
    ...steps.map((step) => `  ${step}`),
    "",
    "Keep .evalkit/ out of version control: it holds the runs.",
    "",
  ].join("\n")
}

function openAsker(io: CommandIo): Asker | null {
  if (!io.interactive || !process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return {
    ask: async (question, fallback) =>
      (await terminal.question(`${question} [${fallback}]: `, { signal: io.signal })).trim() || fallback,
    close: () => terminal.close(),
  }
}
