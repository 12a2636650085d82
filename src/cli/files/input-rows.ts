import type { RawRow } from "../../../datasets/bad-row.ts"
import { readRows } from "../../../datasets/read-rows.ts"
import { readStream } from "../../../datasets/read-stream.ts"
import { UsageError } from "../../core/errors.ts"
import type { CommandIo } from "../command.ts"
import { standardInput } from "./lone-dash.ts"

/**
 * Rows of a file, or of what is piped into the command where a person wrote `-`.
 *
 * @throws {UsageError} where nothing is piped, and for rows that cannot be read
 */
export function inputRows(
  name: string,
  io: CommandIo,
  options: { readonly inferTypes?: boolean } = {},
): AsyncIterable<RawRow> {
  if (name !== standardInput) return readRows(name, { baseDirectory: io.cwd, signal: io.signal, ...options })
  if (!io.input)
    throw new UsageError("nothing is piped into the command", {
      where: "-",
      hint: "cat FILE | evalkit …, or name a file",
    })
  return readStream(io.input(), "stdin", options)
}
