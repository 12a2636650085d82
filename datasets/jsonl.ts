import { messageOf } from "../src/core/errors.ts"
import { parseExactJson } from "../src/core/exact-json.ts"
import type { JsonObject } from "../src/core/json.ts"
import { lines } from "../src/platform/lines.ts"
import type { ReadRow } from "./bad-row.ts"

/** Rows of a JSONL (NDJSON) file: one object per line; blank lines are skipped. Memory: one line. */
export async function* readJsonl(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  maxLineBytes: number,
): AsyncGenerator<ReadRow> {
  for await (const line of lines(chunks, maxLineBytes)) {
    const where = `${file}:${line.number}`
    if (line.text === null) yield { where, field: null, reason: line.fault }
    else if (line.text.trim() !== "") yield parseRow(line.text, where)
  }
}

/** Rows of a text file: the `input` of each is a line; blank lines are skipped. Memory: one line. */
export async function* readTextLines(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  maxLineBytes: number,
): AsyncGenerator<ReadRow> {
  for await (const line of lines(chunks, maxLineBytes)) {
    const where = `${file}:${line.number}`
    if (line.text === null) yield { where, field: null, reason: line.fault }
    else if (line.text.trim() !== "") yield { where, row: { input: line.text } }
  }
}

/** One JSON text as a row; what is not an object is a bad row. */
export function parseRow(text: string, where: string): ReadRow {
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (error) {
    return { where, field: null, reason: `not JSON: ${boundedReason(error)}` }
  }
  return rowOf(value, where)
}

/** A parsed JSON value as a row; what is not an object, or is nested too deep, is a bad row. */
function rowOf(value: unknown, where: string): ReadRow {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const type = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`
    return { where, field: null, reason: `expected an object, got ${type}` }
  }
  if (isDeeperThan(value, maxDepth)) return { where, field: null, reason: `nested deeper than ${maxDepth} levels` }
  return { row: value as JsonObject, where }
}

/** Deeper nesting would overflow the stack wherever a sample is written as JSON. */
const maxDepth = 500

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (depth === 0) return true
  for (const member of Object.values(value)) if (isDeeperThan(member, depth - 1)) return true
  return false
}

function boundedReason(error: unknown): string {
  const reason = messageOf(error)
  return reason.length > 160 ? `${reason.slice(0, 157)}...` : reason
}
