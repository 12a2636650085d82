import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { fileStats } from "../../platform/file-stats.ts"
import type { CommandIo } from "../command.ts"
import { standardInput } from "./lone-dash.ts"

/** Whether a name on the command line is a file or folder to be read rather than a run or variant of the store. */
export function isFile(name: string, io: CommandIo): boolean {
  if (name === standardInput || pathIn(name, io) !== null) return true
  // A run that was imported may have a variant that is called like the file: RUN:VARIANT.
  return /\.(jsonl|ndjson|json|csv|tsv|parquet|eval)(\.gz|\.zst|\.zip)?$/i.test(name) && !/^[0-9a-f]{4,}:/.test(name)
}

/** A path, or `PATH:VARIANT` for a file of several variants; null where there is no such file. */
export function pathIn(name: string, io: CommandIo): { readonly file: string; readonly variant: string | null } | null {
  if (existsSync(resolve(io.cwd, name))) return { file: name, variant: null }
  for (let colon = name.indexOf(":"); colon > 0; colon = name.indexOf(":", colon + 1)) {
    const file = name.slice(0, colon)
    const isNamed = colon + 1 < name.length
    if (isNamed && fileStats(resolve(io.cwd, file))) return { file, variant: name.slice(colon + 1) }
  }
  return null
}
