import { open } from "node:fs/promises"
import type { JsonObject } from "../core/json.ts"
import { objectOf } from "./fields.ts"
import { jsonLines } from "./json-file.ts"

/** The first line where it is an object of its own, and whether it is the only one; null for a document of several lines. */
export async function firstLines(
  path: string,
  given: string,
): Promise<{ readonly first: JsonObject; readonly isOne: boolean } | null> {
  let first: JsonObject | undefined
  for await (const line of jsonLines(path, given)) {
    if (first) return { first, isOne: false }
    first = "value" in line ? objectOf(line.value) : undefined
    if (!first) return null
  }
  return first ? { first, isOne: true } : null
}

/** What a file begins with: up to 64 kB. */
export async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(64 * 1024)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
