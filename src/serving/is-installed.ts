import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/**
 * Whether a program is in a folder of PATH. Trying to start one that is not costs a fork of this process, which is not little where it holds
 * much memory; where PATH does not tell (none is set, or on Windows), it is tried.
 */
export function isInstalled(program: string, { PATH }: Readonly<Record<string, string | undefined>>): boolean {
  if (process.platform === "win32" || PATH === undefined) return true
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
