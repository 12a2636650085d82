import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { RunStore } from "../core/run-store.ts"
import { openRunStore } from "../store/run-store.ts"
import type { CommandIo } from "./command.ts"

/** Folder of the store when neither the config nor the command line names one. */
export const defaultDirectory = ".evalkit"

/** Opens the store of the working directory (or of `--directory`) for reading. */
export function openProjectStore(args: Readonly<Record<string, unknown>>, io: CommandIo): RunStore {
  const directory = resolve(io.cwd, typeof args.directory === "string" ? args.directory : defaultDirectory)
  return openRunStore(directory, { readonly: true })
}

/** The user's own folder for what is made once and kept: quantized models, converted weights. */
export function userCacheDirectory(environment: CommandIo["environment"]): string {
  if (environment.EVALKIT_CACHE_DIR) return resolve(environment.EVALKIT_CACHE_DIR)
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "evalkit")
}
