import type { Argv } from "yargs"
import { UsageError } from "../../core/errors.ts"
import type { Args } from "../command.ts"

/** What yargs knows of the options of a command; its types leave it out. */
interface OptionFacts {
  getOptions?(): {
    readonly array?: readonly string[]
    readonly alias?: Readonly<Record<string, readonly string[]>>
  }
}

/** The names, in every form, under which a command takes several values. */
export function listNames(options: Argv, usage: string): ReadonlySet<string> {
  const { array = [], alias = {} } = (options as unknown as OptionFacts).getOptions?.() ?? {}
  const variadic = Array.from(usage.matchAll(/([\w-]+)\.\./g), ([, name = ""]) => name)
  const names = new Set(["_", ...array, ...variadic])
  for (const [name, others] of Object.entries(alias)) {
    const all = [name, ...others]
    if (all.some((spelling) => names.has(spelling))) for (const spelling of all) names.add(spelling)
  }
  for (const name of [...names]) names.add(name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
  return names
}

/** @throws {UsageError} when an option that takes one value was given twice */
export function refuseRepeated(args: Args, lists: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(args)) {
    if (!Array.isArray(value) || lists.has(name)) continue
    throw new UsageError(`${name.length === 1 ? "-" : "--"}${name} is given ${value.length} times`, {
      where: value.join(", "),
      hint: "give it once",
    })
  }
}
