import { importError } from "./import-error.ts"

/**
 * Imports a config file (TypeScript or JavaScript) that exists and returns its default export, undefined when it has
 * none. `evalkit` in it and in what it imports is this very copy, so that classes and caches are shared.
 *
 * @throws UsageError: `config_syntax` (file:line), `config_import` (the specifier and the file that imports it) or
 * `config_failed` (it threw while it ran).
 */
export async function importConfig(path: string, shown: string): Promise<unknown> {
  const { createJiti } = await import("jiti")
  const evalkit = await ownIndex()
  const jiti = createJiti(import.meta.url, {
    virtualModules: { evalkit },
    interopDefault: false,
    fsCache: false,
  })
  try {
    const module = await jiti.import<Record<string, unknown>>(path)
    return module.default
  } catch (error) {
    throw importError(error, path, shown, Object.keys(evalkit))
  }
}

/** The package's entry beside this file: `index.ts` from source, `index.js` when built. Only a config needs it. */
function ownIndex(): Promise<Record<string, unknown>> {
  const entry = new URL(import.meta.url.endsWith(".ts") ? "../index.ts" : "../index.js", import.meta.url)
  return import(/* @vite-ignore */ entry.href) as Promise<Record<string, unknown>>
}
