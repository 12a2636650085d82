import { UsageError } from "../src/core/errors.ts"
import { badRowError, isRow, type RawRow, type ReadRow } from "./bad-row.ts"
import { readDelimited } from "./delimited.ts"
import { readJson } from "./json.ts"
import { readJsonl } from "./jsonl.ts"
import { inferred } from "./read-rows.ts"

const maxLineBytes = 64 * 2 ** 20

/**
 * Rows that come as bytes, such as from standard input. What they are is found out by how they begin: `{` is JSONL, `[` a JSON
 * list, anything else a table, of tabs where its first line has one.
 *
 * @param name what messages call it: `stdin:12`, and `stdin.csv:12` for a table
 * @throws UsageError naming the place, for a row that cannot be read, and for Parquet, which is not read from its beginning
 */
export async function* readStream(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  options: { readonly inferTypes?: boolean } = {},
): AsyncGenerator<RawRow> {
  const iterator = bytes[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  let head = ""
  while (!isTelling(head)) {
    const next = await iterator.next()
    if (next.done) break
    begun.push(next.value)
    head = Buffer.concat(begun)
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trimStart()
  }
  const all = (async function* () {
    yield* begun
    for (;;) {
      const next = await iterator.next()
      if (next.done) return
      yield next.value
    }
  })()
  for await (const read of rowsOf(head, all, name, options.inferTypes === true)) {
    if (!isRow(read)) throw badRowError(read)
    yield read
  }
}

/** Whether the format can be told: by the first sign, or by the first line of a table. */
function isTelling(head: string): boolean {
  return head.startsWith("{") || head.startsWith("[") || head.includes("\n") || head.length > 1_000_000
}

function rowsOf(
  head: string,
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  inferTypes: boolean,
): AsyncIterable<ReadRow> {
  if (head.startsWith("{")) return readJsonl(bytes, name, maxLineBytes)
  if (head.startsWith("[")) return readJson(bytes, name, maxLineBytes)
  if (head.startsWith("PAR1"))
    throw new UsageError("Parquet cannot be read from standard input", { where: name, hint: "give the file's name" })
  const isTsv = head.split("\n", 1)[0]?.includes("\t") === true
  const rows = readDelimited(bytes, `${name}.${isTsv ? "tsv" : "csv"}`, isTsv ? "\t" : ",", maxLineBytes)
  return inferTypes ? inferred(rows) : rows
}
