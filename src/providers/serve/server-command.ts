import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** How the server's process is started. */
export interface ServerCommandOptions {
  readonly modelPath: string
  readonly name?: string
  readonly threads?: number
  readonly parallel?: number
  readonly contextSize?: number
  readonly gpu?: boolean
}

/**
 * Program and arguments of the server's process. Built, it is plain JavaScript; from source (tests, development) Node gets
 * jiti's loader for the types.
 */
export function serverCommand(options: ServerCommandOptions): { command: string; args: string[] } {
  const fromSource = import.meta.url.endsWith(".ts")
  const entry = fileURLToPath(new URL(fromSource ? "./server-process.ts" : "./server-process.js", import.meta.url))
  const loader = fromSource ? ["--import", jitiLoader()] : []
  const given = Object.entries({
    model: options.modelPath,
    name: options.name,
    threads: options.threads,
    parallel: options.parallel,
    "context-size": options.contextSize,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]))
  return { command: process.execPath, args: [...loader, entry, ...given, ...(options.gpu ? ["--gpu"] : [])] }
}

/** The loader's own file: the working directory need not be one from which `jiti` resolves. */
function jitiLoader(): string {
  const manifest = createRequire(import.meta.url).resolve("jiti/package.json")
  return pathToFileURL(join(dirname(manifest), "lib", "jiti-register.mjs")).href
}
