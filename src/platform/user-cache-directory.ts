import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** The user's own folder for what is made once and kept: `EVALKIT_CACHE_DIR`, or `evalkit` in the user's cache folder. */
export function userCacheDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  if (environment.EVALKIT_CACHE_DIR) return resolve(environment.EVALKIT_CACHE_DIR)
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "evalkit")
}
