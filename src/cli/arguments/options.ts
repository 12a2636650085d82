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
  for (const [name, one] of Object.entries(positionals)) parser.positional(name, one as PositionalOptions)
  const known = parser.options(options)
  return epilogue === undefined ? known : known.epilogue(epilogue)
}

/** What an option was given as its number; undefined where it was not given. @throws {UsageError} for one that is out of bounds */
export function numberOption(args: Args, name: string, least: number, max: number): number | undefined {
  const value = args[name]
  if (value === undefined) return undefined
  if (typeof value === "number" && value >= least && value <= max) return value
  const option = `--${camelTo("-", name)}`
  const bounds = max === Number.POSITIVE_INFINITY ? "of at least 0" : `between ${least} and ${max}`
  throw new UsageError(`${option} must be a number ${bounds}`, { where: `${option} ${String(value)}` })
}
