import { createHash } from "node:crypto"
import fc from "fast-check"
import { faultOfCommand } from "../faults.ts"
import { type ByteEdit, byteEdits, editBytes, editJson, type JsonEdit, jsonEdits } from "../inputs.ts"
import type { Room } from "../room.ts"
import { surface } from "../surface.ts"

/** One line of an archive is changed, and the seal is made anew, so that only what the line says can be at fault. */
export function changedArchive({ archive }: Pick<Room, "archive">, at: number, edits: readonly JsonEdit[]): string {
  const lines = archive.slice(0, -1).map((line, i, all) => {
    return i === at % all.length ? (JSON.stringify(editJson(JSON.parse(line), edits)) ?? "") : line
  })
  const text = lines.map((line) => `${line}\n`).join("")
  const end = { kind: "end", lines: lines.length, sha256: createHash("sha256").update(text).digest("hex") }
  return `${text}${JSON.stringify(end)}\n`
}

/** Commands that read what an archive brought. */
const readers: readonly (readonly string[])[] = [
  ["show"],
  ["show", "--json"],
  ["report", "--format", "html"],
  ["report", "--format", "md"],
  ["report", "--format", "csv"],
  ["report", "--format", "junit"],
  ["report", "--format", "otlp"],
  ["export", "--format", "jsonl"],
  ["export", "--format", "parquet"],
  ["export", "--format", "archive"],
  ["compare", "old", "new"],
  ["gate"],
  ["trend", "old"],
  ["runs"],
  ["show", "R", "s0"],
  ["doctor", "--store"],
  ["score", "R"],
  ["rm", "R", "--yes"],
]

interface Change {
  readonly bytes?: readonly ByteEdit[]
  readonly swapped?: readonly [number, number]
  readonly at?: number
  readonly edits?: readonly JsonEdit[]
}

function contentOf(archive: readonly string[], { bytes, swapped, at = 0, edits = [] }: Change): Buffer {
  if (bytes) return editBytes(Buffer.from(`${archive.join("\n")}\n`), bytes)
  if (!swapped) return Buffer.from(changedArchive({ archive }, at, edits))
  const [a, b] = swapped
  return Buffer.from(`${archive.with(a, archive[b]!).with(b, archive[a]!).join("\n")}\n`)
}

/** Archives: other bytes, lines in another order, lines that say something else; then the commands that read the run. */
export const archives = surface(
  "archives",
  1,
  ({ archive }) => {
    const line = fc.nat(archive.length - 1)
    return fc.record({
      reader: fc.nat(readers.length - 1),
      change: fc.oneof(
        { weight: 2, arbitrary: byteEdits().map((bytes) => ({ bytes })) },
        { weight: 1, arbitrary: fc.tuple(line, line).map((swapped) => ({ swapped })) },
        { weight: 5, arbitrary: fc.tuple(line, jsonEdits(2)).map(([at, edits]) => ({ at, edits })) },
      ) as fc.Arbitrary<Change>,
    })
  },
  async ({ reader, change }, room) => {
    const content = contentOf(room.archive, change)
    room.file("fuzz.evalkit.jsonl", content)
    const directory = ["--directory", `store-${reader}`]
    const imported = await room.command(["import", "fuzz.evalkit.jsonl", ...directory])
    const fault = faultOfCommand(imported)
    if (fault) return `import: ${fault}`
    const runs = await room.command(["runs", "--json", ...directory])
    if (imported.code !== 0) {
      const left = JSON.parse(runs.out) as readonly unknown[]
      room.reset()
      return left.length === 0 ? null : "a refused archive left a run"
    }
    const [run] = JSON.parse(runs.out) as readonly { readonly id: string }[]
    const args = readers[reader]!.map((word) => (word === "R" ? run!.id : word))
    const read = faultOfCommand(
      await room.command(["doctor", "score"].includes(args[0]!) ? args : [...args, ...directory]),
    )
    room.reset()
    return read && `${args.join(" ")}: ${read}`
  },
)
