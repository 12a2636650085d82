import { readFile, realpath, stat } from "node:fs/promises"
import { isAbsolute, join, relative } from "node:path"
import { messageOf, UsageError } from "../../../core/errors.ts"
import type { JsonValue } from "../../../core/json.ts"

/** No file of a config is longer. */
const maxBytes = 16 * 2 ** 20

/** A text of a config that names a file (`file://tests.csv`): its path; null for any other text. */
export function fileNamed(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value.startsWith("file://") ? value.slice("file://".length) : null
}

/**
 * The path of a file that a config names.
 *
 * @throws {UsageError} for a file outside of the config's folder, and for one that is not there or too long
 */
export async function pathIn(folder: string, name: string, where: string): Promise<string> {
  const path = isAbsolute(name) ? name : join(folder, name)
  const [base, target] = await Promise.all([folder, path].map((part) => realpath(part).catch(() => null)))
  if (!base || !target)
    throw new UsageError("there is no such file", { where: where === name ? name : `${where}: ${name}` })
  const inside = relative(base, target)
  if (inside.startsWith("..") || isAbsolute(inside))
    throw new UsageError("the file lies outside of the config's folder", { where: `${where}: ${name}` })
  const stats = await stat(target)
  if (!stats.isFile()) throw new UsageError("this is no file", { where: `${where}: ${name}` })
  if (stats.size > maxBytes)
    throw new UsageError(`the file is longer than ${maxBytes / 2 ** 20} MB`, { where: `${where}: ${name}` })
  return target
}

/** A file's text. @throws {UsageError} as {@link pathIn} does */
export async function textIn(folder: string, name: string, where: string): Promise<string> {
  return readFile(await pathIn(folder, name, where), "utf8")
}

/**
 * A YAML or JSON text as a value.
 * @throws {UsageError} with the line for a text that is neither
 */
export async function yamlValue(text: string, where: string): Promise<JsonValue> {
  const { parseDocument } = await import("yaml")
  // Aliases that name each other a thousand times over would fill the memory.
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true })
  const [fault] = document.errors
  if (fault)
    throw new UsageError(`the YAML cannot be read: ${fault.message.split("\n")[0]}`, {
      where: `${where}:${fault.linePos?.[0]?.line ?? 1}`,
    })
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null)) as JsonValue
  } catch (error) {
    throw new UsageError(`the YAML cannot be read: ${messageOf(error)}`, { where, cause: error })
  }
}
