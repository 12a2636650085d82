import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parquetWriteBuffer } from "hyparquet-writer"
import { expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { readRows } from "../../datasets/read-rows.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

async function rowsOf(name: string, content: Uint8Array | string): Promise<unknown[]> {
  const path = join(folder, name)
  writeFileSync(path, content)
  const rows: unknown[] = []
  for await (const { row } of readRows(path)) rows.push(row)
  return rows
}

it("keeps every digit of decimals and of 64-bit integers in Parquet", async () => {
  const file = parquetWriteBuffer({
    columnData: [
      { name: "price", data: [1990n, -5n, 1234567890123456789n] },
      { name: "id", data: [9007199254740993n, 2n, 3n] },
    ],
    schema: [
      { name: "root", num_children: 2 },
      { name: "price", type: "INT64", repetition_type: "REQUIRED", converted_type: "DECIMAL", scale: 2, precision: 19 },
      { name: "id", type: "INT64", repetition_type: "REQUIRED" },
    ],
  })
  expect(await rowsOf("decimals.parquet", new Uint8Array(file))).toEqual([
    { price: "19.90", id: "9007199254740993" },
    { price: "-0.05", id: 2 },
    { price: "12345678901234567.89", id: 3 },
  ])
})

/** As LZ4 and Zstandard keep bytes that they cannot make shorter. */
const packed = {
  LZ4_RAW: (bytes: Uint8Array) => {
    const more = bytes.length - 15
    const lengths =
      more < 0 ? [bytes.length << 4] : [0xf0, ...new Array<number>(Math.floor(more / 255)).fill(255), more % 255]
    return Uint8Array.from([...lengths, ...bytes])
  },
  ZSTD: (bytes: Uint8Array) => {
    const head = (bytes.length << 3) | 1
    const size = [0, 8, 16, 24].map((shift) => (bytes.length >> shift) & 255)
    return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...size, head & 255, (head >> 8) & 255, head >> 16, ...bytes])
  },
}

it.each(["LZ4_RAW", "ZSTD"] as const)("reads Parquet that is packed by %s on every Node", async (codec) => {
  const data = Array.from({ length: 40 }, (_, i) => `question ${i}`)
  const file = parquetWriteBuffer({ columnData: [{ name: "input", data }], codec, compressors: packed })
  expect(await rowsOf(`${codec}.parquet`, new Uint8Array(file))).toEqual(data.map((input) => ({ input })))
})

it("reads intervals of Parquet as durations", async () => {
  const file = parquetWriteBuffer({
    columnData: [{ name: "every", data: [Uint8Array.from([1, 0, 0, 0, 2, 0, 0, 0, 0xbc, 0x0b, 0, 0])] }],
    schema: [
      { name: "root", num_children: 1 },
      {
        name: "every",
        type: "FIXED_LEN_BYTE_ARRAY",
        type_length: 12,
        repetition_type: "REQUIRED",
        converted_type: "INTERVAL",
      },
    ],
  })
  expect(await rowsOf("intervals.parquet", new Uint8Array(file))).toEqual([{ every: "P1M2DT3.004S" }])
})

it("takes an answer beside what a record of calls has for the model's, and no answer key", async () => {
  const references = async (row: Record<string, string | number>) => {
    for await (const sample of inline([{ input: "?", ...row }]).samples()) return sample.references
  }
  expect(await references({ answer: "4" })).toEqual(["4"])
  expect(await references({ answer: "5", target: "4" })).toEqual(["4"])
  for (const column of ["model", "latency_ms", "usage", "finish_reason"])
    expect(await references({ answer: "5", [column]: "x" }), column).toEqual([])
})

it("keeps every digit of whole numbers in JSON", async () => {
  const line = '{"id": 1234567890123456789, "n": 5}'
  const expected = [{ id: "1234567890123456789", n: 5 }]
  expect(await rowsOf("rows.jsonl", `${line}\n`)).toEqual(expected)
  expect(await rowsOf("rows.json", `[${line}]`)).toEqual(expected)
})

it("takes a whole number beside options that are texts for the place of the right one", async () => {
  const references = async (answer: number | string, choices: readonly (string | number)[]) => {
    for await (const sample of inline([{ input: "?", choices: [...choices], answer }]).samples())
      return sample.references
  }
  expect(await references(2, ["femur", "tibia", "ulna"])).toEqual(["ulna"])
  expect(await references(1, ["1", "2", "3"])).toEqual(["2"])
  expect(await references(0, ["B", "A"])).toEqual(["A"])
  expect(await references("2", ["1", "2", "3"])).toEqual(["2"])
  expect(await references(3, [1, 2, 3])).toEqual(["3"])
  expect(await references(7, ["1", "2"])).toEqual(["7"])
})
