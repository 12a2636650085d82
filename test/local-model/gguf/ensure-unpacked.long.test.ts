import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { decodeTensor, encodeTensor } from "../../../src/local-model/gguf/codec.ts"
import { ensureUnpacked } from "../../../src/local-model/gguf/ensure-unpacked.ts"
import type { GgufTensor } from "../../../src/local-model/gguf/gguf-file.ts"
import { quantizeGguf } from "../../../src/local-model/gguf/quantize-gguf.ts"
import { readGguf } from "../../../src/local-model/gguf/read-gguf.ts"
import { unpackQ2_0 } from "../../../src/local-model/gguf/unpack-q2-0.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const model = fileURLToPath(new URL("../../../models/tiny/tiny-s-f16.gguf", import.meta.url))
const folder = scratchDirectory()

describe("unpackQ2_0", () => {
  it("gives the same weights in blocks of Q4_0, to the bit", () => {
    const random = createRandom("unpack")
    const values = Float32Array.from({ length: 64 * 200 }, (_, i) => random.normal() * 10 ** ((i >> 6) % 9) * 1e-5)
    values.fill(0, 64, 128)
    const packed = encodeTensor("Q2_0", values)
    const unpacked = unpackQ2_0(packed)
    expect(unpacked.length).toBe(2 * packed.length)
    const weights = decodeTensor("Q2_0", packed)
    expect(new Set(weights).size).toBeGreaterThan(300)
    expect(decodeTensor("Q4_0", unpacked)).toEqual(weights)
  })

  it("knows every byte of levels", () => {
    const packed = new Uint8Array(18 * 16)
    for (let i = 0; i < 256; i++) packed[18 * (i >> 4) + 2 + (i & 15)] = i
    for (let block = 0; block < 16; block++) packed[18 * block + 1] = 0x3c // the scale 1, little-endian
    expect(decodeTensor("Q4_0", unpackQ2_0(packed))).toEqual(decodeTensor("Q2_0", packed))
  })
})

describe("ensureUnpacked", () => {
  it("copies a file with its Q2_0 tensors as Q4_0, once, and again when the copy was damaged", async () => {
    const path = join(folder, "s-q2_0.gguf")
    await quantizeGguf(model, path, "Q2_0", { embeddingType: "Q8_0" })
    const copy = await ensureUnpacked(path)
    expect(copy).toBe(join(folder, "s-q2_0-unpacked.gguf"))
    const [before, after] = await Promise.all([readGguf(path), readGguf(copy)])
    const expected = before.tensors.map(({ type }) => (type === "Q2_0" ? "Q4_0" : type))
    expect(after.tensors.map(({ type }) => type)).toEqual(expected)
    expect(new Set(expected)).toEqual(new Set(["F32", "Q4_0", "Q8_0"]))
    const [from, to] = await Promise.all([readFile(path), readFile(copy)])
    const weights = (bytes: Buffer, { type, offset, bytes: length }: GgufTensor) =>
      decodeTensor(type, bytes.subarray(offset, offset + length))
    for (const [i, tensor] of before.tensors.entries())
      expect(weights(to, after.tensors[i]!)).toEqual(weights(from, tensor))
    // What the file says of itself stays.
    expect(after.metadata.get("general.file_type")).toEqual(before.metadata.get("general.file_type"))

    const { mtimeMs } = await stat(copy)
    expect(await ensureUnpacked(path)).toBe(copy)
    expect((await stat(copy)).mtimeMs).toBe(mtimeMs)
    const damaged = Buffer.from(to)
    damaged[damaged.length - 1]! ^= 255
    await writeFile(copy, damaged)
    expect(await ensureUnpacked(path)).toBe(copy)
    expect((await readFile(copy)).equals(to)).toBe(true)
  })

  it("leaves a file of other types alone", async () => {
    expect(await ensureUnpacked(model)).toBe(model)
  })
})
