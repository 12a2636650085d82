import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { readRows } from "../../datasets/read-rows.ts"
import type { ForeignFile } from "../engine/compare/source/file-source.ts"
import type { CommandIo } from "./command.ts"

/** Whether a name on the command line is a file to be read rather than a run or variant of the store. */
export function isFile(name: string, io: CommandIo): boolean {
  return /\.(jsonl|ndjson|json|csv|tsv|parquet)$/i.test(name) || existsSync(resolve(io.cwd, name))
}

/** Two files that other tools wrote, as rows to be read. */
export function foreignFiles(names: readonly [string, string], io: CommandIo): [ForeignFile, ForeignFile] {
  const file = (name: string): ForeignFile => ({
    name,
    rows: readRows(name, { baseDirectory: io.cwd, inferTypes: true }),
  })
  return [file(names[0]), file(names[1])]
}
