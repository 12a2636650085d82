import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { messageOf, UsageError } from "../../core/errors.ts"
import type { CommandIo } from "../command.ts"

/** Characters of a prompt's file, at most. */
const maxPromptLength = 1_000_000

/** The prompt in a file. @throws {UsageError} where it cannot be read, is empty or too long */
export function promptText(file: string, { cwd }: CommandIo): string {
  let content: string
  try {
    content = readFileSync(resolve(cwd, file), "utf8").trim()
  } catch (error) {
    throw new UsageError(`the prompt could not be read: ${messageOf(error)}`, {
      where: `--prompt ${file}`,
      cause: error,
    })
  }
  if (content !== "" && content.length <= maxPromptLength) return content
  throw new UsageError(content === "" ? "the prompt is empty" : "the prompt is too long", { where: `--prompt ${file}` })
}
