import { UsageError } from "../src/core/errors.ts"
import { parseExactJson } from "../src/core/exact-json.ts"
import type { JsonObject, JsonValue } from "../src/core/json.ts"
import type { ReadRow } from "./bad-row.ts"
import { decodeUtf8 } from "./decode.ts"
import { jsonElements } from "./json-elements.ts"
import { parseRow, rowOf } from "./jsonl.ts"

/**
 * Rows of a JSON file. An array is streamed element by element (memory: one element, at most `maxRowChars`); an object
 * `{ "data": [...] }` is read whole, at most `maxRowChars` characters.
 *
 * @throws UsageError when the document is truncated or is something else: the rest cannot be read reliably.
 */
export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  maxRowChars: number,
): AsyncGenerator<ReadRow> {
  const texts = decodeUtf8(chunks, file)
  let head = ""
  // Not a for-await loop: leaving one would close the stream.
  while (head.trim() === "") {
    const next = await texts.next()
    if (next.done) return
    head = next.value
  }
  const rest = prepend(head, texts)
  if (head.trimStart().startsWith("[")) {
    let number = 0
    for await (const element of jsonElements(rest, file, maxRowChars)) yield parseRow(element, `${file}#${++number}`)
    return
  }
  yield* dataRows(await readWhole(rest, file, maxRowChars), file)
}

async function* prepend(head: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield head
  yield* texts
}

async function readWhole(texts: AsyncIterable<string>, file: string, maxChars: number): Promise<string> {
  let whole = ""
  for await (const text of texts) {
    whole += text
    if (whole.length > maxChars)
      throw new UsageError(`the JSON object is longer than ${maxChars} characters`, {
        code: "bad_row",
        where: file,
        hint: "write it as an array or as JSONL, which are streamed, or raise maxLineBytes",
      })
  }
  return whole
}

function* dataRows(text: string, file: string): Generator<ReadRow> {
  let document: JsonObject
  try {
    document = parseExactJson(text) as JsonObject
  } catch (error) {
    throw new UsageError("the file is not one JSON document (truncated, or JSONL?)", {
      code: "bad_row",
      where: file,
      hint: 'for one object per line, name it .jsonl or pass format: "jsonl"',
      cause: error,
    })
  }
  const data: JsonValue | undefined =
    typeof document === "object" && document !== null && Object.hasOwn(document, "data") ? document.data : undefined
  if (!Array.isArray(data))
    throw new UsageError('expected an array of rows, or an object with an array "data"', {
      code: "bad_row",
      where: file,
    })
  let number = 0
  for (const element of data as readonly JsonValue[]) yield rowOf(element, `${file}#${++number}`)
}
