import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** How a module of ours starts in a thread or process of its own. */
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
  return { url, path: fileURLToPath(url), execArgv: fromSource ? ["--import", sourceLoader()] : [] }
}

/** The loader's own file: the working directory need not be one from which `jiti` resolves. */
function sourceLoader(): string {
  const manifest = createRequire(import.meta.url).resolve("jiti/package.json")
  return pathToFileURL(join(dirname(manifest), "lib", "jiti-register.mjs")).href
}
