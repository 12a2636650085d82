import type { Argv, Options, PositionalOptions } from "yargs"
import type { Command } from "../command.ts"

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
