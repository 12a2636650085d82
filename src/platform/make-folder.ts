import { mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/**
 * Makes a folder, and those above it that are missing. Node's own way to do so (`recursive: true`) never ends, and cannot be
 * interrupted, where the system says of a folder that exists that it does not, as Linux does in /proc.
 *
 * @param mode rights of what is made; default: those of the process
 * @returns the highest folder that was made; null when all were there
 * @throws the system's error, such as `EACCES` or `EEXIST` for a file of that name
 */
export function makeFolder(path: string, mode?: number): string | null {
  const missing: string[] = []
  for (let at = resolve(path); !statSync(at, { throwIfNoEntry: false }) && dirname(at) !== at; at = dirname(at))
    missing.push(at)
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path)
  for (const folder of missing.toReversed())
    try {
      mkdirSync(folder, mode)
    } catch (error) {
      // Another process may have made it in between.
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
    }
  return missing.at(-1) ?? null
}
