import fc from "fast-check"
import yargs from "yargs"
import { withOptions } from "../../../src/cli/arguments/options.ts"
import { commandTable } from "../../../src/cli/command-table.ts"
import { faultOfCommand } from "../faults.ts"
import { texts } from "../inputs.ts"
import type { Room } from "../room.ts"
import { surface } from "../surface.ts"

/** The options of each command, by its name. */
const options = new Map<string, readonly string[]>()
for (const { usage, load } of commandTable) {
  const { command } = await load()
  const facts = (
    withOptions(yargs([]), command) as unknown as { getOptions(): { key: Record<string, boolean> } }
  ).getOptions()
  options.set(usage.split(" ")[0]!, Object.keys(facts.key))
}

/** They start a server or a load, and end when they are interrupted: fewer of them, for time's sake. */
const slow = new Set(["view", "serve", "bench"])

/** Arguments of a command: its own options in any order and number, with values that fit, or do not. */
export const commandLines = surface(
  "command lines",
  3,
  (room: Room) => {
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...valuesOf(room)) },
      { weight: 3, arbitrary: texts.map((text) => text.replaceAll("..", ".")).filter((text) => !/^[/~]/.test(text)) },
    )
    const lineOf = (name: string) => {
      const own = options.get(name)!
      const option = fc.constantFrom(...own, "json", "help", "nonsense", "directory").map((key) => `--${key}`)
      const part = fc.oneof(
        { weight: 3, arbitrary: fc.tuple(option, value) },
        { weight: 1, arbitrary: fc.tuple(option, value).map(([key, text]) => [`${key}=${text}`]) },
        { weight: 1, arbitrary: option.map((key) => [key]) },
        { weight: 2, arbitrary: value.map((text) => [text]) },
      )
      return fc
        .tuple(fc.array(value, { maxLength: 2 }), fc.array(part, { maxLength: 4 }))
        .map(([positional, parts]) => [name, ...positional, ...parts.flat()])
    }
    const names = [...options.keys()]
    return fc.oneof(...names.map((name) => ({ weight: slow.has(name) ? 1 : 12, arbitrary: lineOf(name) })), {
      weight: 6,
      arbitrary: fc.array(value, { maxLength: 4 }),
    })
  },
  async (args, room) => {
    room.reset()
    return faultOfCommand(await room.command(harmless(args), 200))
  },
)

/** `add` would install packages. */
function harmless(args: readonly string[]): readonly string[] {
  return args.some((arg) => arg === "add")
    ? ["add", ...args.filter((arg) => !/^(add|local|semantic|png)$/.test(arg))]
    : args
}

function valuesOf({ runs }: Room): readonly string[] {
  const names = [
    "old",
    "new",
    "old,new",
    "exactMatch",
    "tokenF1",
    "even",
    "id",
    "correct",
    "output",
    "s0",
    `${runs[0]}:old`,
  ]
  const files = [
    "data.jsonl",
    "old.jsonl",
    "outputs.csv",
    "eval.config.ts",
    "run.evalkit.jsonl",
    "report.json",
    ".",
    ".evalkit",
    "absent.jsonl",
  ]
  const formats = ["html", "md", "json", "csv", "junit", "jsonl", "archive", "parquet", "otlp", "terminal"]
  const numbers = [
    "0",
    "1",
    "2",
    "0.05",
    "0.5",
    "-1",
    "1e9",
    "1e400",
    "NaN",
    "Infinity",
    "1/2",
    "3/2",
    "30s",
    "5usd",
    "2M tokens",
    "400%",
  ]
  const others = [
    "validate",
    "decided",
    "drop",
    "worst",
    "content",
    "chance",
    "ttft<800ms",
    "http://127.0.0.1:9/v1",
    "openai",
    "--",
    "-",
  ]
  return [...runs, runs[0]!.slice(0, 3), ...names, ...files, ...formats, ...numbers, ...others]
}
