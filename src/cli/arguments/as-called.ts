import type { CommandIo } from "../command.ts"
import { commandTable } from "../command-table.ts"
import { calledAs } from "../run/shell-words.ts"

/**
 * The commands that a message advises, called as the shell finds evalkit.
 *
 * @example asCalled("go on with: evalkit run --resume 7f3a", {}) // "go on with: npx evalkit run --resume 7f3a"
 */
export function asCalled(message: string, environment: CommandIo["environment"]): string {
  const command = calledAs(environment)
  return command === "evalkit" ? message : message.replace(advised, command)
}

const names = commandTable.map(({ usage }) => usage.split(" ")[0])

/** `evalkit` before one of its commands, where it is neither called through npx already nor the end of a path. */
const advised = new RegExp(`(?<![\\w@/.-]|npx )evalkit(?= (?:${names.join("|")}|--help|COMMAND)\\b)`, "g")
