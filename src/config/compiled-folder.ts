import { readdirSync, rmSync, statfsSync, statSync } from "node:fs"
import { join } from "node:path"
import { makeFolder } from "../platform/make-folder.ts"
import { userCacheDirectory } from "../platform/user-cache-directory.ts"

/** Files kept: more than a person has configs, and what they import. */
const max = 200
/** Bytes that have to be free: the transpiler does not bear a disk that is full. */
const minFree = 16 * 2 ** 20

/**
 * The folder in which the transpiler keeps what it made of configs, by their content: made anew it takes a quarter of a second.
 * What lies there is run, so that only a folder that nobody else may write to will do; false where there is none, where the disk is
 * nearly full, or where it cannot be made.
 */
export function compiledFolder(environment: Readonly<Record<string, string | undefined>>): string | false {
  try {
    const folder = join(userCacheDirectory(environment), "config")
    makeFolder(folder, 0o700)
    const { uid, mode } = statSync(folder)
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    const { bavail, bsize } = statfsSync(folder)
    if (!isOurs || bavail * bsize < minFree) return false
    forgetOldest(folder)
    return folder
  } catch {
    return false
  }
}

/** Halves a folder that has more files than are kept. */
function forgetOldest(folder: string): void {
  const names = readdirSync(folder)
  if (names.length <= max) return
  const oldestFirst = names
    .map((name) => join(folder, name))
    .map((path) => ({ path, made: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.made - b.made)
  for (const { path } of oldestFirst.slice(0, -max / 2)) rmSync(path, { force: true, recursive: true })
}
