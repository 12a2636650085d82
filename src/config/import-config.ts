import { createRequire } from "node:module"
import { compiledFolder } from "./compiled-folder.ts"
import { importError } from "./import-error.ts"

/**
 * Imports a config file (TypeScript or JavaScript) that exists and returns its default export, undefined when it has
 * none, in an object of its own: a default export that has a `then` must not be taken for a promise here. `evalkit` in it and
 * in what it imports is this very copy, so that classes and caches are shared.
 *
 * @throws UsageError: `config_syntax` (file:line), `config_import` (the specifier and the file that imports it) or
 * `config_failed` (it threw while it ran).
 */
export async function importConfig(path: string, shown: string): Promise<{ readonly exported: unknown }> {
  // Required: imported, every name that it exports is looked for in its text first, in 20 ms.
  const { createJiti } = createRequire(import.meta.url)("jiti") as typeof import("jiti")
  const entries = await ownEntries()
  const jiti = createJiti(import.meta.url, {
    virtualModules: Object.fromEntries(entries),
    interopDefault: false,
    fsCache: compiledFolder(process.env),
  })
  try {
    const module = await jiti.import<Record<string, unknown>>(path)
    return { exported: module.default }
  } catch (error) {
    const names = new Map(Array.from(entries, ([entry, exported]) => [entry, Object.keys(exported)]))
    throw importError(error, path, shown, names)
  }
}

/** What can follow `evalkit/`. */
const subPaths = ["metrics", "judges", "datasets", "providers", "stats", "reports", "bench", "engine"] as const

/** The package's entries beside this file, by the name that imports them: `.ts` from source, `.js` when built. */
async function ownEntries(): Promise<Map<string, Record<string, unknown>>> {
  const load = async (name: string, file: string): Promise<[string, Record<string, unknown>]> => [
    name,
    await ownEntry(file),
  ]
  const loading = subPaths.map((name) => load(`evalkit/${name}`, name))
  return new Map(await Promise.all([load("evalkit", "index"), ...loading]))
}

/** What one entry of the package exports: `index`, `metrics` … */
export async function ownEntry(file: string): Promise<Record<string, unknown>> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js"
  const url = new URL(`../${file}.${extension}`, import.meta.url)
  return (await import(/* @vite-ignore */ url.href)) as Record<string, unknown>
}
