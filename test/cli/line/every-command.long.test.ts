import { describe, expect, it } from "vitest"
import yargs, { type Argv } from "yargs"
import { withOptions } from "../../../src/cli/arguments/options.ts"
import { listNames, refuseRepeated } from "../../../src/cli/arguments/repeated-options.ts"
import { faultStrings, refuseValues, usageFault } from "../../../src/cli/arguments/usage-fault.ts"
import { commandTable } from "../../../src/cli/command-table.ts"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { sized } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

interface Facts {
  readonly key: Readonly<Record<string, unknown>>
  readonly choices: Readonly<Record<string, readonly unknown[]>>
  readonly string: readonly string[]
  readonly number: readonly string[]
  readonly array: readonly string[]
  readonly demandedOptions: Readonly<Record<string, unknown>>
}

interface Internals {
  getInternalMethods(): { getUsageInstance(): { getDescriptions(): Readonly<Record<string, string | undefined>> } }
}

/** What the help says of an option that takes a share. */
const shareWords =
  /\bshare\b|\b0\.\.1\b|\bpower\b|error rate|level of|significance level|margin|largest loss|smallest saving/

/** The commands with what their parser knows of them. */
const commands = await Promise.all(
  commandTable.map(async ({ usage, describe: words, load }) => {
    const { command } = await load()
    const examples = Object.keys(command.examples)
    const parser = withOptions(yargs([]).version(false).help(false), command)
    const facts = (parser as unknown as { getOptions(): Facts }).getOptions()
    const described = (parser as unknown as Internals).getInternalMethods().getUsageInstance().getDescriptions()
    const [name = ""] = usage.split(" ")
    const required = Array.from(usage.matchAll(/<([\w-]+)/g), ([, text = ""]) => text)
    // Something that each argument takes.
    const line = [name, ...required.map((text) => String(facts.choices[text]?.[0] ?? "something"))]
    const positionals = new Set(Array.from(usage.matchAll(/[<[]([\w-]+)/g), ([, text = ""]) => text))
    for (const option of Object.keys(facts.demandedOptions))
      if (!positionals.has(option)) line.push(`--${option}`, facts.number.includes(option) ? "1" : "x")
    const values = [...new Set([...facts.string, ...facts.number])].filter(
      (text) => !positionals.has(text) && text.length > 1 && !Object.hasOwn(facts.demandedOptions, text),
    )
    return { name, usage, words, command, facts, described, line, required, positionals, values, examples }
  }),
)

/** What the parser says of its own, in English. */
const phrases =
  /non-option|Unknown argument|Unknown command|Missing required|Missing dependent|Invalid values|Argument:|Given:|Choices:|Not enough|Too many|\u001f/

async function refused(argv: readonly string[]): Promise<string> {
  const io = fakeIo({ cwd })
  const code = await main(argv, io)
  const message = io.stderr()
  expect({ argv, code, out: io.stdout() }).toEqual({ argv, code: 2, out: "" })
  expect(message).not.toMatch(phrases)
  // What, where, what to do; in one line.
  expect(message).toMatch(/^evalkit: [^\n]+\n$/)
  return message
}

describe.each(commands)(
  "evalkit $name",
  ({ name, usage, command, line, facts, described, required, positionals, values, examples }) => {
    const help = `see: npx evalkit ${name} --help\n`

    it("says that it has no such option, and which it may have been", async () => {
      const wrong = await refused([...line, "--zzzzzzzzzz", "x"])
      expect(wrong).toContain(`there is no option --zzzzzzzzzz: npx evalkit ${name}; see: npx evalkit ${name} --help`)
      expect(await refused([...line, "--no-zzzzzzzzzz"])).toContain(
        `there is no option --no-zzzzzzzzzz: npx evalkit ${name};`,
      )
      const [some] = Object.keys(facts.key).filter((key) => key.length > 4 && !positionals.has(key))
      if (some === undefined) return
      const misspelt = `${some.slice(0, 2)}${some[3]}${some[2]}${some.slice(4)}`
      if (Object.hasOwn(facts.key, misspelt)) return
      expect(await refused([...line, `--${misspelt}`, "x"])).toContain("did you mean --")
    })

    it("names what is missing, and what is too many", async () => {
      if (required.length > 0) {
        const first = `<${required[0]}>`
        expect(await refused([name])).toMatch(
          new RegExp(
            `^evalkit: ${first}( and <\\w+>)? (is|are) missing: npx evalkit ${name}; write npx evalkit ${name} `,
          ),
        )
      }
      if (usage.includes("..")) return
      const extra = [...line, ...Array.from({ length: 4 }, (_, i) => `extra-${i}`)]
      expect(await refused(extra)).toMatch(/is one word too many: npx evalkit /)
    })

    it("names the values that an option takes", async () => {
      for (const [option, choices] of Object.entries(facts.choices)) {
        const argv = positionals.has(option)
          ? line.map((word) => (word === String(choices[0]) ? "nonsense" : word))
          : [...line, `--${option}`, "nonsense"]
        if (positionals.has(option) && !required.includes(option)) argv.push("nonsense")
        const message = await refused(argv)
        expect(message).toContain(`cannot be "nonsense": npx evalkit ${name}; take one of`)
        for (const choice of choices) expect(message).toContain(String(choice))
        expect(message).toContain(help)
      }
    })

    it("refuses an option that is given twice, without its value, or with a text for its number", async () => {
      for (const option of values.slice(0, sized(values.length, 4))) {
        const isNumber = facts.number.includes(option)
        const value = String(facts.choices[option]?.[0] ?? (isNumber ? 3 : "x"))
        if (!command.mayBeBare?.includes(option))
          expect(await refused([...line, `--${option}`])).toContain(`--${option} needs a value: npx evalkit ${name}`)
        if (isNumber)
          expect(await refused([...line, `--${option}`, "many"])).toContain(`--${option} takes a number, not "many"`)
        if (isNumber && shareWords.test(described[option] ?? ""))
          expect(await refused([...line, `--${option}`, "5%"])).toContain(`; write --${option} 0.05;`)
        if (facts.array.includes(option)) continue
        expect(await refused([...line, `--${option}`, value, `--${option}`, value])).toContain(
          `--${option} is given 2 times: ${value}, ${value}; give it once`,
        )
      }
    })

    it("takes an option that it must have for missing, unless it is only misspelt", async () => {
      for (const option of Object.keys(facts.demandedOptions).filter((key) => !positionals.has(key))) {
        const at = line.indexOf(`--${option}`)
        const without = line.toSpliced(at, 2)
        expect(await refused(without)).toContain(`--${option} is missing: npx evalkit ${name}`)
        expect(await refused([...without, `--${option}s`, "1"])).toContain(
          `there is no option --${option}s: npx evalkit ${name}; did you mean --${option}?`,
        )
      }
    })

    it("has examples that it takes itself", async () => {
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) await parse(example.replace("$0", "evalkit"))
    })
  },
)

/** Parses the evalkit of an example as the command line does, without running it. */
async function parse(example: string): Promise<void> {
  const lines = example.split(/ && | \| | > | < |; /).filter((part) => /^(npx )?evalkit /.test(part.trim()))
  expect({ example, lines: lines.length }).not.toEqual({ example, lines: 0 })
  for (const text of lines) {
    const [, name = "", ...rest] = wordsOf(text.trim().replace(/^npx /, ""))
    const result = commands.find((command) => command.name === name)
    expect(result, example).toBeDefined()
    if (!result) continue
    const argv = [name, ...rest]
    let lists: ReadonlySet<string> = new Set()
    let parser: Argv = yargs([])
    await yargs(argv)
      .strict()
      .exitProcess(false)
      .updateStrings(faultStrings)
      .fail((message) => {
        throw new Error(`${example}: ${usageFault(message, { argv, usage: result.usage, options: parser }).message}`)
      })
      .command(
        result.usage,
        result.words,
        (options) => {
          parser = withOptions(options, result.command)
          lists = listNames(parser, result.usage)
          return parser
        },
        (args) => {
          refuseValues(args, { argv, usage: result.usage, options: parser }, result.command.mayBeBare)
          refuseRepeated(args, lists)
        },
      )
      .parseAsync()
  }
}

/** The words of a line as a shell reads them, quotes taken off. */
function wordsOf(text: string): string[] {
  return Array.from(
    text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  )
}
