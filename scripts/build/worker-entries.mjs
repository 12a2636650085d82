import { join, relative } from "node:path"
import { root } from "./root.mjs"

/**
 * Modules that run in a thread or process of their own: each is the literal argument of an `ownModule` call.
 *
 * @param {ReadonlyMap<string, string>} sources texts of our modules by their paths from the root
 * @returns {Set<string>} paths from the root
 */
export function workerEntries(sources) {
  const found = new Set()
  for (const [path, source] of sources) {
    const calls = source.match(/(?<!function )\bownModule\(/g) ?? []
    const names = [...source.matchAll(/\bownModule\(\s*import\.meta\.url,\s*"([^"]+)",?\s*\)/g)]
    if (calls.length !== names.length)
      throw new Error(`${path}: write ownModule(import.meta.url, "./name") with a literal name`)
    for (const [, name] of names) found.add(relative(root, join(root, path, "..", `${name}.ts`)))
  }
  return found
}
