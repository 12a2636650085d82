import type { Argv } from "yargs"
import { nearest } from "../../core/did-you-mean.ts"
import { UsageError } from "../../core/errors.ts"
import type { Args } from "../command.ts"
import { commandTable } from "../command-table.ts"
import { shareOf } from "./share-of.ts"

/** A command line that has a fault. */
export interface FaultyLine {
  readonly argv: readonly string[]
  /** `score <file>`: how its command is called; null where it names none. */
  readonly usage: string | null
  /** The options that the command knows. */
  readonly options: Argv | null
}

const mark = "\u001f"

const strings = {
  "Unknown argument: %s": both(`unknown${mark}%s`),
  "Unknown command: %s": both(`unknown${mark}%s`),
  "Missing required argument: %s": both(`required${mark}%s`),
  "Missing argument value: %s": both(`value${mark}%s`),
  "Not enough arguments following: %s": `value${mark}%s`,
  "Not enough non-option arguments: got %s, need at least %s": both(`few${mark}%s`),
  "Too many non-option arguments: got %s, maximum of %s": both(`many${mark}%s${mark}%s`),
  "Invalid values:": "choice",
  "Argument: %s, Given: %s, Choices: %s": `${mark}%s${mark}%s${mark}%s`,
}

/** The parser's messages as a kind and its values, so that no phrase of its own is ever printed; its types leave out the plural. */
export const faultStrings = strings as unknown as Record<string, string>

function both(text: string): { readonly one: string; readonly other: string } {
  return { one: text, other: text }
}

/** What is wrong with a command line, in evalkit's words: what, which command, what to do. */
export function usageFault(message: string, line: FaultyLine): UsageError {
  const [kind, first = "", second = "", third = ""] = message.split(mark).map((part) => part.trim())
  const values = first.split(", ")
  if (kind === "unknown") return unknownFault(values, line)
  if (kind === "required") {
    // A misspelt option is missing, too.
    const unknown = unknownOptions(line)
    if (unknown.length > 0) return unknownFault(unknown, line)
    const missing = values.map((name) => optionName(name, line))
    return fault(`${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`, line, "name it")
  }
  if (kind === "value")
    return fault(`${optionName(first, line)} needs a value`, line, `write ${optionName(first, line)} VALUE`)
  if (kind === "few") {
    const missing = positionals(line)
      .filter(({ isRequired }) => isRequired)
      .slice(Number.parseInt(first, 10))
    const names = missing.map(({ name }) => `<${name}>`)
    return fault(
      `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} missing`,
      line,
      `write evalkit ${line.usage}`,
    )
  }
  if (kind === "choice")
    return fault(`${optionName(first, line)} cannot be ${second}`, line, `take one of ${third.split("\n")[0]?.trim()}`)
  return fault(message.replaceAll(mark, " "), line)
}

/** A command that does not exist. */
export function unknownCommand(name: string): UsageError {
  const names = commandTable.map(({ usage }) => usage.split(" ")[0] as string)
  const near = nearest(name, names)
  return new UsageError(`there is no command "${name}"`, {
    hint: `${near === undefined ? "" : `did you mean ${near}? `}all commands: evalkit --help`,
  })
}

/** @throws {UsageError} for an option that was written without its value, or with a text where it takes a number */
export function refuseValues(args: Args, line: FaultyLine, mayBeBare: readonly string[] = []): void {
  const { argv } = line
  const { number = [], string = [] } = facts(line)
  for (const name of number)
    if ([args[name]].flat().some((value) => Number.isNaN(value)))
      throw fault(
        `${optionName(name, line)} takes a number${optionText(name, argv)}`,
        line,
        `write ${optionName(name, line)} ${numberMeant(name, argv)}`,
      )
  for (const name of [...number, ...string]) {
    const at = argv.indexOf(`--${name}`)
    const next = argv[at + 1]
    const isBare = at >= 0 && !mayBeBare.includes(name) && (next === undefined || /^--[a-z]/.test(next))
    if (isBare) throw fault(`--${name} needs a value`, line, `write --${name} VALUE`)
  }
}

/** ", not "x"": what stands behind an option on the line. */
function optionText(name: string, argv: readonly string[]): string {
  const value = optionValue(name, argv)
  return value === undefined ? "" : `, not "${value}"`
}

/** Options that take a share, for which a percentage is meant; a count takes none. */
const shares = new Set([
  "alpha",
  "availability-target",
  "difference",
  "flips",
  "live-share",
  "margin",
  "power",
  "shared-prefix",
  "smallest-gain",
  "target",
])

/** The number that a text was meant for: a percentage is a share; else any number as an example. */
function numberMeant(name: string, argv: readonly string[]): number {
  if (!shares.has(name)) return 5
  return shareOf(optionValue(name, argv) ?? "") ?? 5
}

function optionValue(name: string, argv: readonly string[]): string | undefined {
  const at = argv.findIndex((text) => text === `--${name}` || text.startsWith(`--${name}=`))
  if (at < 0) return undefined
  return argv[at]?.includes("=") ? argv[at]?.slice(name.length + 3) : argv[at + 1]
}

function unknownFault(values: readonly string[], line: FaultyLine): UsageError {
  const keys = facts(line).key ?? {}
  const names = Object.keys(keys)
  const [wrong = ""] = values
  // The parser has taken the "no-" off.
  const no = line.argv.includes(`--no-${wrong}`) ? "no-" : ""
  const isOption = no !== "" || isWrittenAsOption(wrong, line)
  if (!isOption) return fault(`"${wrong}" is one word too many`, line, `write evalkit ${line.usage ?? "COMMAND"}`)
  const near = nearest(wrong, names)
  return fault(
    `there is no option ${wrong.length === 1 ? "-" : "--"}${no}${wrong}`,
    line,
    near === undefined ? "" : `did you mean --${no}${near}?`,
  )
}

/** What the line has behind two dashes and the command does not know. */
function unknownOptions(line: FaultyLine): string[] {
  const names = new Set(Object.keys(facts(line).key ?? {}).flatMap((name) => [name, camel(name), `no-${name}`]))
  return line.argv.flatMap((text) => /^--([a-zA-Z][\w-]*)/.exec(text)?.[1] ?? []).filter((name) => !names.has(name))
}

/** Whether a word that the parser does not know was an option: the line has it behind a dash. */
function isWrittenAsOption(word: string, { argv }: FaultyLine): boolean {
  return argv.some(
    (text) => text.startsWith("-") && camel(text.replace(/^-+/, "").split("=")[0] ?? "").includes(camel(word)),
  )
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `--name`, or `<name>` where it is one of the command's arguments. */
function optionName(name: string, line: FaultyLine): string {
  return positionals(line).some((positional) => positional.name === name) ? `<${name}>` : `--${name}`
}

function positionals({ usage }: FaultyLine): readonly { readonly name: string; readonly isRequired: boolean }[] {
  return Array.from((usage ?? "").matchAll(/([<[])([\w-]+)/g), ([, open, name = ""]) => ({
    name,
    isRequired: open === "<",
  }))
}

function fault(what: string, { usage }: FaultyLine, hint = ""): UsageError {
  const command = usage?.split(" ")[0]
  const where = command === undefined ? "evalkit" : `evalkit ${command}`
  const before = hint === "" ? "" : hint.endsWith("?") ? `${hint} ` : `${hint}; `
  return new UsageError(what, { where, hint: `${before}see: ${where} --help` })
}

/** What the parser knows of the options of a command; its types leave it out. */
function facts({ options }: FaultyLine): {
  readonly key?: Args
  readonly number?: readonly string[]
  readonly string?: readonly string[]
} {
  const parser = options as unknown as { getOptions?(): object } | null
  return parser?.getOptions?.() ?? {}
}
