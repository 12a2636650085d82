import { homedir } from "node:os"
import { join, resolve } from "node:path"

/**
 * The user's own folder for what is made once and kept: `EVALKIT_CACHE_DIR`, else `evalkit` in the folder that the system
 * keeps caches in (`XDG_CACHE_HOME`; `%LOCALAPPDATA%` on Windows, `~/Library/Caches` on macOS, `~/.cache` elsewhere).
 *
 * @param platform as `process.platform` names it
 */
export function userCacheDirectory(
  environment: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): string {
  const { EVALKIT_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA } = environment
  if (EVALKIT_CACHE_DIR) return resolve(EVALKIT_CACHE_DIR)
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "evalkit")
  if (platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "evalkit")
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "evalkit")
  return join(homedir(), ".cache", "evalkit")
}
