import { readdirSync } from "node:fs"
import { join } from "node:path"
import { UsageError } from "../src/core/errors.ts"

/** Names of files that a message lists at most. */
const maxNames = 5
const longestName = 80

/**
 * What to say where a data set is to be read and a folder lies there: which of its files could be meant.
 *
 * @param shown the folder's name in messages
 * @param isData whether a file of this name could be read as data
 */
export function folderFault(path: string, shown: string, isData: (file: string) => boolean): UsageError {
  const names = dataFiles(path, isData)
  const listed = names.slice(0, maxNames).map((name) => bounded(join(shown, name)))
  const rest = names.length - listed.length
  const files = `${listed.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
  return new UsageError("the data set is a folder, and one file is read", {
    code: "dataset_is_folder",
    where: shown,
    hint:
      names.length === 0
        ? "it holds no .json, .jsonl, .csv, .tsv or .parquet file: give the path of the file with the data"
        : `give the path of a file in it: ${files}`,
  })
}

function dataFiles(path: string, isData: (file: string) => boolean): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && isData(entry.name))
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

const bounded = (name: string): string => (name.length > longestName ? `…${name.slice(1 - longestName)}` : name)
