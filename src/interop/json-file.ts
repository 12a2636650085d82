import { createReadStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { UsageError } from "../core/errors.ts"
import type { JsonValue } from "../core/json.ts"
import { lines } from "../platform/lines.ts"

/** A document of a tool is read whole; no longer one is. */
export const maxDocumentBytes = 512 * 2 ** 20
/** A line of a tool's file. */
const maxLineBytes = 64 * 2 ** 20

/** A value of a file, and where it stands. */
export interface PlacedValue {
  readonly value: JsonValue
  readonly where: string
}

/** A line that could not be read. */
export interface BadLine {
  readonly where: string
  readonly field: null
  readonly reason: string
}

/** The lines of a file, one JSON value each; empty lines are left out. Memory: one line. */
export async function* jsonLines(path: string, file: string): AsyncGenerator<PlacedValue | BadLine> {
  for await (const line of lines(createReadStream(path, { highWaterMark: 256 * 1024 }), maxLineBytes)) {
    const where = `${file}:${line.number}`
    if (line.text === null) {
      yield { where, field: null, reason: line.fault }
      continue
    }
    if (line.text.trim() === "") continue
    const value = parsed(line.text)
    yield value === undefined ? { where, field: null, reason: "the line is not JSON" } : { value, where }
  }
}

/** A document, read whole. @throws {UsageError} for one that is no JSON, or longer than half a gigabyte */
export async function jsonDocument(path: string, file: string): Promise<JsonValue> {
  const { size } = await stat(path)
  if (size > maxDocumentBytes)
    throw new UsageError("the file is too long to be read as one JSON document", {
      where: `${file} (${Math.round(size / 2 ** 20)} MB)`,
      hint: `at most ${maxDocumentBytes / 2 ** 20} MB are read`,
    })
  return jsonText(await readFile(path, "utf8"), file)
}

/** A text that is to be JSON. @throws {UsageError} where it is not */
export function jsonText(text: string, where: string): JsonValue {
  const value = parsed(text)
  if (value === undefined) throw notJson(where)
  return value
}

/** Of a document that cannot be read. */
export function notJson(where: string): UsageError {
  return new UsageError("the file is not JSON: cut off, or damaged", { where, code: "bad_file" })
}

/** Python's JSON has numbers that JSON has not. */
const pythonNumbers = /(?<=[\s:[,])(?:NaN|-?Infinity)(?=\s*[,\]}])/g

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as JsonValue
  } catch {
    if (!/NaN|Infinity/.test(text)) return undefined
  }
  try {
    return JSON.parse(withoutPythonNumbers(text)) as JsonValue
  } catch {
    return undefined
  }
}

/** NaN and Infinity outside of strings become null: not known. */
function withoutPythonNumbers(text: string): string {
  return text
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(pythonNumbers, "null")))
    .join("")
}
