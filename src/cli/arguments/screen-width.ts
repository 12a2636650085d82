import type { Command, CommandIo } from "../command.ts"
import { wrapLines } from "./wrap-lines.ts"

/** Columns of the screen that results are printed on; without end where they go to a file or a program. */
export function screenWidth({
  takesBytes,
  interactive,
  columns,
}: Pick<CommandIo, "takesBytes" | "interactive" | "columns">): number {
  return takesBytes === false || interactive ? columns : Number.POSITIVE_INFINITY
}

/** Where a command prints, with its sentences broken between words on a screen; data for other programs stays as it is. */
export function onScreen(io: CommandIo, command: Command, args: Readonly<Record<string, unknown>>): CommandIo {
  if (io.takesBytes !== false || command.printsData || args.json === true) return io
  const out: CommandIo["out"] = (chunk) => io.out(typeof chunk === "string" ? wrapLines(chunk, io.columns) : chunk)
  // By its descriptors: who reads `signal` takes the interrupts over, and nobody has yet.
  const all = { ...Object.getOwnPropertyDescriptors(io), out: { value: out, enumerable: true } }
  return Object.defineProperties({}, all) as CommandIo
}
