import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** How a module of ours starts in a thread or process of its own. @experimental */
export interface OwnModule {
  readonly url: URL
  readonly path: string
  /** Options of Node that it needs: none when built; from source the loader that strips its types. */
  readonly execArgv: string[]
}

/**
 * Finds a module beside the caller, built (`.js`) or from source (`.ts`: tests, development).
 *
 * @param callerUrl `import.meta.url` of the caller
 * @param name without its extension: `./truth-server`
 */
export function ownModule(callerUrl: string, name: string): OwnModule {
  const fromSource = callerUrl.endsWith(".ts")
  const url = new URL(`${name}.${fromSource ? "ts" : "js"}`, callerUrl)
  if (!fromSource) return { url, path: fileURLToPath(url), execArgv: [] }
  const bundled = bundledSource(url)
  if (bundled !== null) return { url: pathToFileURL(bundled), path: bundled, execArgv: [] }
  return { url, path: fileURLToPath(url), execArgv: ["--import", sourceLoader()] }
}

/**
 * What the runner of the tests has bundled of a source, into the folder that it names: one file starts in a part of the time that a
 * loader takes, which strips the types of a hundred.
 */
function bundledSource(url: URL): string | null {
  const folder = process.env.EVALKIT_OWN_MODULES
  if (folder === undefined) return null
  const root = fileURLToPath(new URL("../../", import.meta.url))
  const path = join(folder, relative(root, fileURLToPath(url)).replace(/\.ts$/, ".js"))
  return existsSync(path) ? path : null
}

/** The loader's own file: the working directory need not be one from which `jiti` resolves. */
function sourceLoader(): string {
  const manifest = createRequire(import.meta.url).resolve("jiti/package.json")
  return pathToFileURL(join(dirname(manifest), "lib", "jiti-register.mjs")).href
}
