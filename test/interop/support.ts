import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { command as importCommand } from "../../src/cli/commands/import.ts"
import { command as compareCommand } from "../../src/cli/compare/compare.ts"
import { rowReaders } from "../../src/cli/files/row-readers.ts"
import { type ForeignRecord, isRecord } from "../../src/core/foreign/foreign-log.ts"
import { openForeignLog } from "../../src/interop/recognise.ts"
import type { RowReaders } from "../../src/interop/row-file.ts"
import { fakeIo } from "../support/fake-io.ts"

/** Everything that a file or folder holds, as evalkit reads it. */
export async function readLog(path: string, readers: RowReaders | null = null) {
  const log = await openForeignLog(path, path, readers)
  if (!log) return null
  const records: ForeignRecord[] = []
  const skipped: { where: string; reason: string }[] = []
  for await (const read of log.records()) (isRecord(read) ? records : (skipped as unknown[])).push(read as never)
  return { log, records, skipped }
}

/** The same of a table, too. @throws where no tool is known that wrote it */
export async function readAll(path: string) {
  const read = await readLog(path, rowReaders)
  if (!read) throw new Error(`no log of a tool: ${path}`)
  return read
}

/** Writes objects as lines. */
export function writeLines(folder: string, name: string, rows: readonly object[]): string {
  writeFileSync(join(folder, name), `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`)
  return join(folder, name)
}

/** `evalkit compare A B --json`. */
export async function compareJson(cwd: string, a: string, b: string, args: Record<string, unknown> = {}) {
  const io = fakeIo({ cwd })
  const code = await compareCommand.run({ a, b, json: true, ...args }, io)
  return { code, json: JSON.parse(io.stdout()) }
}

/** `evalkit import FILE… --json`. */
export async function importJson(cwd: string, ...files: readonly string[]) {
  const io = fakeIo({ cwd })
  const code = await importCommand.run({ files, json: true }, io)
  return {
    code,
    json: JSON.parse(io.stdout()) as {
      recognised: string
      run: string
      samples: number
      answers: number
      skipped: unknown[]
      is_new: boolean
    }[],
  }
}
