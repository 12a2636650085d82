import { access } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import { createInterface } from "node:readline/promises"
import { codeNames, writtenNames } from "../../config/config-names.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { writeOutput } from "../../platform/output-file.ts"
import { counted } from "../../words/number.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, text } from "../arguments/options.ts"
import { wrapLines } from "../arguments/wrap-lines.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { calledAs } from "../run/shell-words.ts"
import { type Ask, completeChoices, type InitChoices, type Service, services } from "./choices.ts"
import { newFiles } from "./files.ts"
import { placeWorkflow, type Workflow } from "./workflow.ts"

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
    positionals: { dir: text("folder to write into (default: here; an example: its name)") },
    options: {
      example: text("copy this example; without a name: list them"),
      provider: text([...services.keys()].join(", ")),
      baseline: text("model in use (for local: a GGUF file beside the config)"),
      candidate: text("model to swap it for"),
      from: text("convert this promptfooconfig.yaml: prompts, providers, tests"),
      yaml: flag("write the config in YAML instead of TypeScript", { default: false }),
      yes: flag("do not ask; use the defaults", { default: false }),
      force: flag("overwrite existing files", { default: false }),
      json: json("print what was written as JSON"),
    },
    examples: {
      "$0 init": "asks three questions",
      "$0 init eval --from promptfooconfig.yaml": "a config made of promptfoo's",
      "$0 init --yaml": "a config for people who do not write TypeScript",
      "$0 init --example rag": "a copy of an example, with what it reads",
      "$0 init eval --provider openai --baseline gpt-4.1 --candidate gpt-4.1-mini": "without questions",
    },

    mayBeBare: ["example"],

    async run(args, io) {
      if (typeof args.example === "string") return copyExample(args.example, args, io)
      const folder = resolve(io.cwd, String(args.dir ?? "."))
      if (typeof args.from === "string") return convert(args.from, folder, args, io)
      const asker = args.yes ? null : askerFor(io)
      const choices = await completeChoices(givenChoices(args), asker?.ask ?? null).finally(() => asker?.close())
      const service = services.get(choices.provider) as Service
      const schema = args.yaml ? schemaFrom(folder, io.cwd) : null
      const own = newFiles(choices, service, schema)
      const workflow = await placeWorkflow(folder, service, own[0].path)
      const files = own.map(({ path, content }) => ({ path: join(folder, path), content }))
      if (workflow.path !== null) files.push({ path: workflow.path, content: workflow.content })
      if (!args.force)
        await refuseExisting([...files.map(({ path }) => path), ...otherConfigs(folder, Boolean(args.yaml))])
      for (const { path, content } of files) {
        await writeOutput(path, (write) => write(content))
      }
      const written = files.map(({ path }) => relative(io.cwd, path) || path)
      if (args.json) io.out(`${JSON.stringify({ written, ...choices })}\n`)
      else io.out(nextSteps(written, service, calledAs(io.environment), workflowWords(workflow, io.cwd)))
      return ExitCode.ok
    },
  }
}

/** `--from FILE`: a config of promptfoo's in evalkit's terms, and a list of what has none. */
async function convert(from: string, folder: string, args: Args, io: CommandIo): Promise<number> {
  const [{ readPromptfoo }, { promptfooFiles }, { placeOf }] = await Promise.all([
    import("./promptfoo/read.ts"),
    import("./promptfoo/write.ts"),
    import("./promptfoo/types.ts"),
  ])
  const read = await readPromptfoo(resolve(io.cwd, from), from)
  const files = promptfooFiles(read, from, upFrom(folder, dirname(resolve(io.cwd, from)))).map(({ path, content }) => ({
    path: join(folder, path),
    content,
  }))
  if (!args.force) await refuseExisting(files.map(({ path }) => path))
  for (const { path, content } of files) await writeOutput(path, (write) => write(content))
  const written = files.map(({ path }) => relative(io.cwd, path) || path)
  const { prompts, providers, tests, notConverted } = read
  const counts = { prompts: prompts.length, providers: providers.length, tests: tests.length }
  if (args.json) {
    io.out(`${JSON.stringify({ written, ...counts, not_converted: notConverted })}\n`)
    return ExitCode.ok
  }
  const assertions = tests.reduce((sum, { assert }) => sum + assert.length, 0)
  io.out(`${written.map((path) => `wrote ${path}\n`).join("")}`)
  io.out(
    `${counted(counts.prompts, "prompt")} × ${counted(counts.providers, "provider")}, ${counted(counts.tests, "test")}, ${counted(assertions, "assertion")}\n`,
  )
  if (notConverted.length > 0) io.out(`not converted (${notConverted.length}):\n`)
  for (const entry of notConverted) io.out(`  ${plainText(placeOf(entry), 160)}: ${plainText(entry.reason, 200)}\n`)
  io.out(`\nNext:\n  ${calledAs(io.environment)} run ${written[0]} --dry-run\n`)
  return ExitCode.ok
}

/** The way from one folder to another as an import has it. */
function upFrom(folder: string, to: string): string {
  const way = relative(folder, to).split(sep).join("/")
  return way === "" ? "./" : way.startsWith(".") ? `${way}/` : `./${way}/`
}

/** The schema in the package, which is installed in the working directory or above it. */
function schemaFrom(folder: string, cwd: string): string {
  const up = relative(folder, cwd).split(sep).join("/") || "."
  return `${up}/node_modules/evalkit/reports/schema/config-1.schema.json`
}

/** A config in the other language would make it unknown which is meant. */
function otherConfigs(folder: string, isYaml: boolean): readonly string[] {
  return (isYaml ? codeNames : writtenNames).map((name) => join(folder, name))
}

/** Lists the examples, or copies one. */
async function copyExample(name: string, args: Args, io: CommandIo): Promise<number> {
  const { exampleFiles, listExamples } = await import("./examples.ts")
  if (name === "") {
    const examples = listExamples()
    const width = Math.max(...examples.map((example) => example.name.length))
    const lines = examples.map((example) => `${example.name.padEnd(width)}  ${example.question}\n`)
    io.out(
      args.json
        ? `${JSON.stringify(examples)}\n`
        : `${lines.join("")}\nCopy one: ${calledAs(io.environment)} init --example NAME\n`,
    )
    return ExitCode.ok
  }
  const sources = exampleFiles(name)
  const folder = resolve(io.cwd, String(args.dir ?? name))
  const files = sources.map(({ path, content }) => ({ path: join(folder, path), content }))
  if (!args.force) await refuseExisting(files.map(({ path }) => path))
  for (const { path, content } of files) await writeOutput(path, (write) => write(content))
  const written = files.map(({ path }) => relative(io.cwd, path) || path)
  const config = written.find((path) => path.endsWith("eval.config.ts")) ?? "eval.config.ts"
  if (args.json) io.out(`${JSON.stringify({ example: name, written, run: `evalkit run ${config}` })}\n`)
  else
    io.out(
      `${written.map((path) => `wrote ${path}\n`).join("")}\nNext:\n  ${calledAs(io.environment)} run ${config}\n\nIts first lines say what to change for the real thing.\n`,
    )
  return ExitCode.ok
}

function givenChoices(args: Args): Partial<InitChoices> {
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
    throw new UsageError("these files exist already; nothing was written", {
      code: "file_exists",
      where: present.join(", "),
      hint: "choose another folder, or overwrite them with --force",
    })
}

/** What there is to know of the CI workflow; empty where it lies where GitHub reads it. */
function workflowWords({ path, kept, inRepository }: Workflow, cwd: string): readonly string[] {
  if (kept !== null) return [`kept ${relative(cwd, kept)}, which is there already`]
  if (inRepository || path === null) return []
  return [
    "",
    `There is no git repository here. GitHub runs a workflow only from .github/workflows/ in the root of one: if this folder will not be the root, move ${relative(cwd, path)} there and add working-directory.`,
  ]
}

function nextSteps(
  written: readonly string[],
  { keyVariable, first }: Service,
  called: string,
  workflow: readonly string[],
): string {
  const steps = [
    ...(keyVariable ? [`export ${keyVariable}=...`] : []),
    ...(first ? [first] : []),
    `${called} doctor ${written[0]}`,
    `${called} run ${written[0]} --dry-run`,
    `${called} run ${written[0]}`,
  ]
  return [
    ...written.map((path) => `wrote ${path}`),
    ...workflow,
    "",
    "Next:",
    ...steps.map((step) => `  ${step}`),
    "",
    "Keep .evalkit/ out of version control: it holds the runs.",
    "",
  ].join("\n")
}

/** A question with what an empty answer takes, broken between words. */
export function questionText(question: string, fallback: string, columns: number): string {
  return wrapLines(`${question} [${fallback}]:`, columns - 1)
}

function openAsker(io: CommandIo): Asker | null {
  if (!io.interactive || !process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return {
    ask: async (question, fallback) =>
      (await terminal.question(`${questionText(question, fallback, io.columns)} `, { signal: io.signal })).trim() ||
      fallback,
    close: () => terminal.close(),
  }
}
