import type { Argv, Options, PositionalOptions } from "yargs"
import { UsageError } from "../../core/errors.ts"
import { camelTo } from "../../words/names.ts"
import type { Args, Command } from "../command.ts"

/** An option that takes a text. */
export function text(describe: string, more: Options = {}): Options {
  return { type: "string", describe, ...more }
}

/** An option that takes texts, one or several. */
export function texts(describe: string, more: Options = {}): Options {
  return { type: "string", array: true, describe, ...more }
}

/** An option that takes a number. */
export function number(describe: string, more: Options = {}): Options {
  return { type: "number", describe, ...more }
}

/** An option that is set or not. */
export function flag(describe: string, more: Options = {}): Options {
  return { type: "boolean", describe, ...more }
}

/** An option that takes one of a few words. */
export function oneOf(choices: readonly string[], describe: string, more: Options = {}): Options {
  return { choices, describe, ...more }
}

/** `--json` of most commands. */
export function json(describe = "print as JSON"): Options {
  return flag(describe, { default: false })
}

/** A parser that knows what a command takes. Its examples are printed apart: the parser's own table would break them in the middle. */
export function withOptions(parser: Argv, { positionals = {}, options, epilogue }: Command): Argv {
  for (const [name, settings] of Object.entries(positionals)) parser.positional(name, settings as PositionalOptions)
  const configured = parser.options(options)
  return epilogue === undefined ? configured : configured.epilogue(epilogue)
}

/** What an option was given as its number; undefined where it was not given. @throws {UsageError} for one that is out of bounds */
export function numberOption(args: Args, name: string, min: number, max: number): number | undefined {
  const value = args[name]
  if (value === undefined) return undefined
  if (typeof value === "number" && value >= min && value <= max) return value
  const bounds = max === Number.POSITIVE_INFINITY ? "of at least 0" : `between ${min} and ${max}`
  throw outOfBounds(name, `a number ${bounds}`, value)
}

/** What an option that is given or has a default was given as its integer. @throws {UsageError} for one that is none, or out of bounds */
export function integerOption(args: Args, name: string, min: number, max: number): number {
  const value = args[name]
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value
  throw outOfBounds(name, `a whole number from ${min} to ${max}`, value)
}

function outOfBounds(name: string, range: string, value: unknown): UsageError {
  const option = `--${camelTo("-", name)}`
  return new UsageError(`${option} must be ${range}`, { where: `${option} ${String(value)}` })
}
