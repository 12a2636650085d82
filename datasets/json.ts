import { UsageError } from "../src/core/errors.ts"
import { jsonValue } from "../src/core/json-members.ts"
import { JsonCutter } from "../src/text/json-cutter.ts"
import type { ReadRow } from "./bad-row.ts"
import { decodeUtf8 } from "./decode.ts"
import { parseRow } from "./jsonl.ts"

/**
 * Rows of a JSON file: an array, or an object `{ "data": [...] }`. Memory: one row, at most `maxRowChars`.
 *
 * @throws UsageError when the document is truncated or is something else: the rest cannot be read reliably.
 */
export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  maxRowChars: number,
): AsyncGenerator<ReadRow> {
  const cutter = new JsonCutter(new Set(["", "data"]))
  let number = 1
  const fail = (what: string) => new UsageError(what, { code: "bad_row", where: `${file}#${number}` })
  for await (const text of decodeUtf8(chunks, file)) {
    for (const row of cutter.cut(text)) {
      if (row.list === "" && cutter.outline.trimStart().startsWith("{")) continue
      if (row.text.trim() === "") throw fail("An element of the JSON array is missing")
      yield parseRow(row.text, `${file}#${number++}`)
    }
    if (cutter.length > maxRowChars) throw fail(`A row is longer than ${maxRowChars} characters (maxLineBytes)`)
    if (cutter.hasMore) break
  }
  const { outline } = cutter
  if (outline.trim() === "") return
  if (outline.trimStart().startsWith("[")) {
    if (cutter.hasMore) throw fail("Something follows the JSON array")
    if (!cutter.isWhole) throw fail("the JSON array is truncated")
    return
  }
  const document = cutter.isWhole ? jsonValue(outline, undefined) : undefined
  if (document === undefined)
    throw new UsageError("the file is not one JSON document (truncated, or JSONL?)", {
      code: "bad_row",
      where: file,
      hint: 'for one object per line, name it .jsonl or pass format: "jsonl"',
    })
  if (!Array.isArray((document as { data?: unknown } | null)?.data))
    throw new UsageError('expected an array of rows, or an object with an array "data"', {
      code: "bad_row",
      where: file,
    })
}
