import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { messageOf, UsageError } from "../../core/errors.ts"
import type { CommandIo } from "../command.ts"
import { isLoopback } from "./access.ts"

/** The variable that holds the token where no file does. */
export const tokenVariable = "EVALKIT_VIEW_TOKEN"

/** A token that can be guessed keeps nobody out. */
const minCharacters = 16

/** The token of a server, and whether somebody chose it: then it is not printed. */
export interface ViewToken {
  readonly token: string
  readonly isChosen: boolean
}

/**
 * The token of `--token-file` or EVALKIT_VIEW_TOKEN; a random one where only this machine can reach the server.
 *
 * @throws {UsageError} for a server beyond this machine without a token, for a file that cannot be read, and for a token of less than 16
 * characters
 */
export function readToken(
  file: string | undefined,
  host: string,
  { cwd, environment }: Pick<CommandIo, "cwd" | "environment">,
): ViewToken {
  const token = file === undefined ? environment[tokenVariable]?.trim() : readTokenFile(resolve(cwd, file))
  const where = file === undefined ? tokenVariable : `--token-file ${file}`
  if (token !== undefined && token !== "") {
    if (token.length < minCharacters || /[^\x21-\x7e]/.test(token))
      throw new UsageError(`a token has at least ${minCharacters} visible ASCII characters`, {
        where,
        hint: "make one with: openssl rand -base64 24",
      })
    return { token: token, isChosen: true }
  }
  if (file !== undefined || !isLoopback(host))
    throw new UsageError(
      file === undefined ? "others than this machine may only look with a token" : "the file of the token is empty",
      {
        code: "token_missing",
        where: file === undefined ? `--host ${host}` : where,
        hint: `put one into a file and name it with --token-file, or set ${tokenVariable}; make one with: openssl rand -base64 24`,
      },
    )
  return { token: randomBytes(18).toString("base64url"), isChosen: false }
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, 4096).trim()
  } catch (error) {
    throw new UsageError(`the file of the token cannot be read: ${messageOf(error)}`, { where: path, cause: error })
  }
}
