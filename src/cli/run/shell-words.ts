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
