import { main } from "../../src/cli/main.ts"
import { fakeIo } from "../support/fake-io.ts"
import { root } from "./blocks.ts"

const cache = new Map<string, Promise<ReadonlySet<string> | null>>()

/** The names of a command's options, as its help prints them; null where there is no such command. */
export function optionsOf(name: string): Promise<ReadonlySet<string> | null> {
  const options = cache.get(name) ?? readHelp(name)
  cache.set(name, options)
  return options
}

async function readHelp(name: string): Promise<ReadonlySet<string> | null> {
  if (name === "completion") return new Set()
  const io = fakeIo({ cwd: root })
  const code = await main([name, "--help"], io)
  const stdout = io.stdout()
  if (code !== 0 || !stdout.startsWith(`evalkit ${name}`)) return null
  return new Set(Array.from(stdout.matchAll(/(?<=\s)--?([a-z][\w-]*)/g), ([, option = ""]) => option))
}

/** What is wrong with a command line: no such command, no such option. */
export async function faultsOf(words: readonly string[]): Promise<string[]> {
  const [name = "", ...rest] = words
  const options = await optionsOf(name)
  if (options === null) return [`evalkit has no command "${name}"`]
  return rest
    .flatMap((word) => /^--?([a-z][\w-]*)/.exec(word)?.[1] ?? [])
    .filter((option) => !options.has(option) && !options.has(option.replace(/^no-/, "")))
    .map((option) => `evalkit ${name} has no option --${option}`)
}
