import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { CommandIo } from "../command.ts"

/** `evalkit` where a shell finds it, else through npx; folders that npm adds for one command do not count. */
export function calledAs(environment: CommandIo["environment"]): string {
  const folders = (environment.PATH ?? "").split(delimiter)
  const isFound = folders.some(
    (folder) =>
      folder !== "" && !/node_modules[\\/]\.bin[\\/]?$|_npx/.test(folder) && existsSync(join(folder, "evalkit")),
  )
  return isFound ? "evalkit" : "npx evalkit"
}

/** A word as a shell takes it: quoted where it is not plain. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** How one sample of a run is read: the store as it was named on the command line that found the run. */
export function showCommand(
  run: string,
  sample: string,
  where: StoreWords,
  io: Pick<CommandIo, "environment">,
): string {
  return [calledAs(io.environment), "show", run, shellWord(sample), ...storeWords(where)].join(" ")
}

/** How the labels of a run are held against its judges. */
export function validateCommand(run: string, where: StoreWords, io: Pick<CommandIo, "environment">): string {
  return [calledAs(io.environment), "judge validate --run", run, ...storeWords(where)].join(" ")
}

type StoreWords = Readonly<Record<string, unknown>>

function storeWords({ directory, store }: StoreWords): readonly string[] {
  return [
    ...(typeof directory === "string" ? ["--directory", shellWord(directory)] : []),
    ...(typeof store === "string" ? ["--store", shellWord(store)] : []),
  ]
}
