import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { readRows } from "../../datasets/read-rows.ts"
import type { ForeignFile } from "../engine/compare/source/file-source.ts"
import { openForeignLog } from "../interop/recognise.ts"
import type { CommandIo } from "./command.ts"

/** Whether a name on the command line is a file or folder to be read rather than a run or variant of the store. */
export function isFile(name: string, io: CommandIo): boolean {
  return /\.(jsonl|ndjson|json|csv|tsv|parquet|eval)$/i.test(name) || pathIn(name, io) !== null
}

/** Two files or folders that other tools wrote: logs where their format is known, else rows to be read. */
export async function foreignFiles(
  names: readonly [string, string],
  io: CommandIo,
): Promise<[ForeignFile, ForeignFile]> {
  return [await foreignFile(names[0], io), await foreignFile(names[1], io)]
}

async function foreignFile(name: string, io: CommandIo): Promise<ForeignFile> {
  const found = pathIn(name, io)
  const log = found && (await openForeignLog(resolve(io.cwd, found.file), found.file))
  if (log) return { name: found.file, log, variant: found.variant }
  return { name, rows: readRows(name, { baseDirectory: io.cwd, inferTypes: true }) }
}

/** A path, or `PATH:VARIANT` for a file of several variants; null where there is no such file. */
function pathIn(name: string, io: CommandIo): { readonly file: string; readonly variant: string | null } | null {
  if (existsSync(resolve(io.cwd, name))) return { file: name, variant: null }
  for (let colon = name.indexOf(":"); colon > 0; colon = name.indexOf(":", colon + 1)) {
    const file = name.slice(0, colon)
    const isNamed = colon + 1 < name.length
    if (isNamed && statSync(resolve(io.cwd, file), { throwIfNoEntry: false })?.isFile())
      return { file, variant: name.slice(colon + 1) }
  }
  return null
}
