import { relative, resolve } from "node:path"
import { type AdvisedCommand, commandText } from "../../../reports/wording/advised-command.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import { defaultDirectory, findStoreFolder } from "../../store/project-store.ts"
import type { Args, CommandIo } from "../command.ts"
import { calledAs, shellWord } from "./shell-words.ts"

/** Where a run was started and kept. */
export interface RunPlace {
  /** The config as it was found, and the folder of the store, absolute. */
  readonly config: string
  readonly directory: string
  /** Whether the folder of the store was named on the command line, so that the config does not lead to it. */
  readonly isDirectoryGiven?: boolean
  /** `--store`, where it was given. */
  readonly store?: string | undefined
}

/** Writes commands about a run so that they work in the folder and the shell in which it was started. */
export function commandPlacer(
  location: RunPlace,
  io: Pick<CommandIo, "cwd" | "environment">,
): (command: AdvisedCommand) => string {
  const path = relative(io.cwd, resolve(io.cwd, location.config))
  const config = path === "eval.config.ts" ? [] : [shellWord(path)]
  const folder = relative(io.cwd, location.directory)
  const inFolder = ["--directory", shellWord(folder || ".")]
  const inStore = location.store === undefined ? [] : ["--store", shellWord(location.store)]
  // What reads no config looks in the working directory; the others are led to the store by the config.
  const store = location.store !== undefined ? inStore : folder === defaultDirectory ? [] : inFolder
  const led = location.store !== undefined ? inStore : location.isDirectoryGiven ? inFolder : []
  return ({ name, words }) => {
    const names = words.map(shellWord)
    const scoring = [...names, ...(config.length === 0 ? [] : ["--config", ...config]), ...led]
    const parts = {
      doctor: [...config, ...names],
      run: [...config, ...names, ...led],
      score: scoring,
      price: scoring,
      view: [...names, ...store],
      compare: [...names, ...store],
      report: [...names, ...store],
    }[name]
    return [calledAs(io.environment), name, ...parts].join(" ")
  }
}

/** Writes commands about a run that was found again: by what the command line names, or else in the working directory. */
export function foundPlacer(
  { configPath }: Pick<RunRecord, "configPath">,
  where: Args,
  io: Pick<CommandIo, "cwd" | "environment">,
): (command: AdvisedCommand) => string {
  // A program that calls the library has no config to name.
  if (configPath === null) return commandText
  const location = {
    config: configPath,
    directory: findStoreFolder(where, io) ?? resolve(io.cwd, defaultDirectory),
    isDirectoryGiven: typeof where.directory === "string",
    ...(typeof where.store === "string" && { store: where.store }),
  }
  return commandPlacer(location, io)
}
