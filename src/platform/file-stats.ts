import { type Stats, statSync } from "node:fs"

/** What the system says of a path that nothing can lie at. */
const nowhere = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL", "ERR_INVALID_ARG_VALUE"])

/** What lies at a path; null where there is nothing, as at a path that is too long for any file. */
export function fileStats(path: string): Stats | null {
  try {
    return statSync(path)
  } catch (error) {
    if (nowhere.has(String((error as NodeJS.ErrnoException).code))) return null
    throw error
  }
}
