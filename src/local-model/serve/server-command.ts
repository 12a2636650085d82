import { ownModule } from "../../platform/own-module.ts"

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
  const { path, execArgv } = ownModule(import.meta.url, "./server-process")
  const flags = Object.entries({
    model: options.modelPath,
    name: options.name,
    threads: options.threads,
    parallel: options.parallel,
    "context-size": options.contextSize,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]))
  return { command: process.execPath, args: [...execArgv, path, ...flags, ...(options.gpu ? ["--gpu"] : [])] }
}
