import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { faultOfCommand } from "../faults.ts"
import { byteEdits, editBytes, editJson, type JsonEdit, jsonEdits, junk } from "../inputs.ts"
import type { Room } from "../room.ts"
import { surface } from "../surface.ts"
import { jsonTools, type ToolFiles, type ToolPart } from "../tools/json-tools.ts"
import { loadTools } from "../tools/load-tools.ts"
import { hostileEntries, inspectEntries, packedTools, zipBytes } from "../tools/packed-tools.ts"

/** What is found above the folder, and must never come out. */
const canary = "CANARY-7f3a"

/** What logs must not have their way with: paths, characters that no database keeps, numbers that no program holds. */
const hostile = fc.oneof(
  { weight: 3, arbitrary: junk },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      ...["../canary_samples.jsonl", "/etc/passwd", "..\\..\\x", "a\0b", "a\0c", "\ud800", "\udc00x", "nan", "1e999"],
      ...[-1, 1e300, 2 ** 53, 4294967296, 0.1 + 0.2, [[[]]], [null], [1, "a", {}], { 0: 1, length: 1e9 }],
    ),
  },
)

/** Numbers as they may stand in a text, but in no value of JavaScript. */
const rawNumbers = ["1e999", "-1e999", "NaN", "Infinity", "1".repeat(400), "1e-400", "-0", "0x10", "1_000", "01"]

type Ending = "\n" | "\r\n" | ""

interface Written {
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** "" is their folder. */
  readonly given: string
}

const textOf = ({ value, lines }: ToolPart, ending: Ending): string =>
  lines && Array.isArray(value)
    ? value.map((row) => JSON.stringify(row)).join(ending || "\n") + ending
    : `${JSON.stringify(value, null, ending === "" ? 0 : 2) ?? ""}${ending}`

/** The files of a tool, one of which is changed. */
function written({ parts, given }: ToolFiles, at: number, change: (part: ToolPart) => Buffer): Written {
  const files = parts.map((part, i) => ({
    name: part.name,
    bytes: i === at % parts.length ? change(part) : Buffer.from(textOf(part, "\n")),
  }))
  return { files, given }
}

const texts = [...jsonTools, ...loadTools]
const textFiles = fc.constantFrom(...texts)
const ending = fc.constantFrom<Ending>("\n", "\n", "\r\n", "")
const mark = fc.constantFrom("", "", "", "\ufeff")

const otherValues = fc
  .tuple(textFiles, fc.nat(2), jsonEdits(3, hostile), ending, mark)
  .map(([tool, at, edits, end, bom]) =>
    written(tool, at, (part) => Buffer.from(bom + textOf({ ...part, value: editJson(part.value, edits) }, end))),
  )
const otherNumbers = fc
  .tuple(textFiles, fc.nat(2), fc.nat(1000), fc.constantFrom(...rawNumbers))
  .map(([tool, at, index, number]) =>
    written(tool, at, (part) => {
      let seen = 0
      const numbers = /(?<=[:[,]\s*)-?\d+(?:\.\d+)?/g
      const text = textOf(part, "\n")
      const count = text.match(numbers)?.length ?? 1
      return Buffer.from(text.replace(numbers, (old) => (seen++ === index % count ? number : old)))
    }),
  )
const otherBytes = fc
  .tuple(textFiles, fc.nat(2), byteEdits())
  .map(([tool, at, edits]) => written(tool, at, (part) => editBytes(Buffer.from(textOf(part, "\n")), edits)))
const missing = fc.tuple(textFiles, fc.nat(2)).map(([tool, at]): Written => {
  const { files, given } = written(tool, 0, (part) => Buffer.from(textOf(part, "\n")))
  const left = files.filter((_, i) => files.length === 1 || i !== at % files.length)
  return { files: left, given: left.some(({ name }) => name === given) ? given : "" }
})
const packed = fc.tuple(fc.constantFrom(...packedTools), byteEdits(3)).map(([{ name, bytes }, edits]): Written => {
  return { files: [{ name, bytes: editBytes(bytes, edits) }], given: name }
})
const zips = fc
  .record({
    ...{ method: fc.constantFrom("stored", "deflated", "zstandard"), isWhole: fc.boolean() },
    ...{ at: fc.nat(9), edits: jsonEdits(3, hostile) },
    extra: fc.option(fc.constantFrom(...hostileEntries), { freq: 3 }),
  })
  .map(({ method, isWhole, at, edits, extra }): Written => {
    const entries = inspectEntries(method as "stored", isWhole).map((entry, i, all) =>
      i === at % all.length ? { ...entry, data: changed(String(entry.data), edits) } : entry,
    )
    return { files: [{ name: "log.eval", bytes: zipBytes(extra ? [...entries, extra] : entries) }], given: "log.eval" }
  })

const changed = (text: string, edits: readonly JsonEdit[]): string =>
  JSON.stringify(editJson(JSON.parse(text), edits)) ?? ""

/** What is done with the files. */
const uses = ["import", "import", "compare", "dataset"] as const
/** What reads a run that was made of them. */
const readers: readonly (readonly string[])[] = [
  ["show"],
  ["report", "--format", "html"],
  ["report", "--format", "md"],
  ["report", "--format", "json"],
  ["export", "--format", "jsonl"],
  ["export", "--format", "otlp"],
  ["export", "--format", "every-eval-ever", "--out", "out"],
  ["export", "--format", "inspect", "--out", "out"],
  ["export", "--format", "mlflow", "--out", "out"],
]

/** Logs of every tool that is recognised: other values, numbers and bytes, parts that are missing, hostile archives. */
export const toolLogs = surface(
  "logs of other tools",
  8,
  () =>
    fc.record({
      use: fc.constantFrom(...uses),
      reader: fc.nat(readers.length - 1),
      log: fc.oneof(
        { weight: 10, arbitrary: otherValues },
        { weight: 3, arbitrary: otherNumbers },
        { weight: 4, arbitrary: otherBytes },
        { weight: 1, arbitrary: missing },
        { weight: 4, arbitrary: packed },
        { weight: 3, arbitrary: zips },
      ),
    }),
  async ({ use, reader, log }, room) => {
    const folder = join(room.cwd, "tool")
    for (const left of ["tool", "store", "out"]) rmSync(join(room.cwd, left), { recursive: true, force: true })
    mkdirSync(folder)
    writeFileSync(join(dirname(room.cwd), "canary_samples.jsonl"), `{"output":"${canary}"}\n`)
    for (const { name, bytes } of log.files) writeFileSync(join(folder, name), bytes)
    const path = join("tool", log.given)
    if (use === "compare") return said(await room.command(["compare", path, path, "--json"], longestMs))
    if (use === "dataset") return datasetFault(path, room)
    return importFault(path, readers[reader] as readonly string[], room)
  },
)

const longestMs = 20_000

function said(ended: Awaited<ReturnType<Room["command"]>>): string | null {
  if (ended.code === 0 && (ended.out + ended.err).trim() === "") return "exit 0 without a word"
  if ((ended.out + ended.err).includes(canary)) return "a file beside the log's folder was read"
  return faultOfCommand(ended)
}

/** A file that is refused leaves nothing. */
async function datasetFault(path: string, room: Room): Promise<string | null> {
  const ended = await room.command(["import", path, "--as-dataset", "out", "--json"], longestMs)
  const isLeft = existsSync(join(room.cwd, "out")) && readdirSync(join(room.cwd, "out")).length > 0
  if (ended.code !== 0 && isLeft) return "a refused log left a data set"
  return said(ended)
}

async function importFault(path: string, reader: readonly string[], room: Room): Promise<string | null> {
  const directory = ["--directory", "store"]
  const imported = await room.command(["import", path, "--json", ...directory], longestMs)
  const fault = said(imported)
  if (fault) return `import: ${fault}`
  const runs = existsSync(join(room.cwd, "store")) ? await room.command(["runs", "--json", ...directory]) : null
  const left = (JSON.parse(runs?.out ?? "[]") as readonly { readonly id: string }[]).map(({ id }) => id)
  if (imported.code !== 0) return left.length === 0 ? null : "a refused log left a run"
  const [{ run }] = JSON.parse(imported.out) as [{ readonly run: string | null }]
  if (run === null) return null
  if (left[0] !== run) return "the imported run is not in the store"
  const [command, ...options] = reader as readonly [string, ...string[]]
  const read = said(await room.command([command, run, ...options, ...directory], longestMs))
  return read && `${reader.join(" ")}: ${read}`
}
