import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decodeTensor, encodeTensor } from "../../../src/local-model/gguf/codec.ts"
import type { TensorType } from "../../../src/local-model/gguf/tensor-type.ts"

interface Golden {
  readonly id: TensorType
  readonly inputs: { readonly float16: string }
  readonly expected: { readonly blocks: string; readonly float32: string }
}

const golden = readFileSync(new URL("../../golden/models/gguf_blocks.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden)

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"))

const valuesOf = ({ inputs }: Golden) => decodeTensor("F16", bytes(inputs.float16))

describe("block formats against gguf-py", () => {
  it.each(golden)("decodes $id to the same numbers", ({ id, expected }) => {
    expect(decodeTensor(id, bytes(expected.blocks))).toEqual(decodeTensor("F32", bytes(expected.float32)))
  })

  it.each(golden.filter(({ id }) => id !== "MXFP4"))("encodes $id to the same bytes", (row) => {
    expect(Buffer.from(encodeTensor(row.id, valuesOf(row))).toString("hex")).toBe(row.expected.blocks)
  })

  it("encodes MXFP4 with a smaller error, because it tries more scales", () => {
    const row = golden.find(({ id }) => id === "MXFP4") as Golden
    const values = valuesOf(row)
    const squaredError = (blocks: Uint8Array) =>
      decodeTensor("MXFP4", blocks).reduce((sum, value, i) => sum + (value - (values[i] as number)) ** 2, 0)
    expect(squaredError(encodeTensor("MXFP4", values))).toBeLessThan(squaredError(bytes(row.expected.blocks)))
  })
})
