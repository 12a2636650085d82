import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { readRows } from "../../datasets/read-rows.ts"

const folder = mkdtempSync(join(tmpdir(), "exact-values-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
