import { escapedControls } from "../../core/terminal-json.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { inertText } from "../../words/text.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { wrapLines } from "./wrap-lines.ts"

/** Columns of the screen that results are printed on; without end where they go to a file or a program. */
export function screenWidth({
  takesBytes,
  interactive,
  columns,
}: Pick<CommandIo, "takesBytes" | "interactive" | "columns">): number {
  return takesBytes === false || interactive ? columns : Number.POSITIVE_INFINITY
}

/**
 * Where a command prints: no control sequence of others and no key gets through, whatever brought it, and sentences are broken between
 * words on a screen. Files that a command makes for other programs stay as they are, but on a screen.
 */
export function onScreen(io: CommandIo, command: Command, args: Args): CommandIo {
  const isScreen = io.takesBytes === false
  const written = (text: string): string => {
    if (args.json === true) return redactSecrets(escapedControls(text))
    if (command.printsData) return isScreen ? inertText(text) : text
    const clean = redactSecrets(inertText(text))
    return isScreen ? wrapLines(clean, io.columns) : clean
  }
  return withWriters(io, { out: (chunk) => io.out(typeof chunk === "string" ? written(chunk) : chunk) })
}

/** The same for progress, warnings and errors, which are for people always. */
export function withSafeErrors(io: CommandIo): CommandIo {
  return withWriters(io, { err: (text) => io.err(redactSecrets(inertText(text))) })
}

/** By its descriptors: who reads `signal` takes the interrupts over, and nobody has yet. */
function withWriters(io: CommandIo, writers: Partial<Pick<CommandIo, "out" | "err">>): CommandIo {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(io), ...Object.getOwnPropertyDescriptors(writers) },
  ) as CommandIo
}
