import { resolve } from "node:path"
import type { RunStore } from "../core/run/run-store.ts"
import { openRunStore } from "../store/run-store.ts"
import type { CommandIo } from "./command.ts"

/** Folder of the store when neither the config nor the command line names one. */
export const defaultDirectory = ".evalkit"

/** Opens the store of the working directory (or of `--directory`) for reading. */
export function openProjectStore(args: Readonly<Record<string, unknown>>, io: CommandIo): RunStore {
  const directory = resolve(io.cwd, typeof args.directory === "string" ? args.directory : defaultDirectory)
  return openRunStore(directory, { readonly: true })
}
