import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { GgufError } from "../../../src/local-model/gguf/gguf-error.ts"
import type { GgufValue } from "../../../src/local-model/gguf/gguf-file.ts"
import { readGguf } from "../../../src/local-model/gguf/read-gguf.ts"
import { writeGguf } from "../../../src/local-model/gguf/write-gguf.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()

const everyType = new Map<string, GgufValue>([
  ["general.architecture", { type: "string", value: "llama" }],
  ["a.uint8", { type: "uint8", value: 255 }],
  ["a.int8", { type: "int8", value: -128 }],
  ["a.uint16", { type: "uint16", value: 65535 }],
  ["a.int16", { type: "int16", value: -32768 }],
  ["a.uint32", { type: "uint32", value: 4294967295 }],
  ["a.int32", { type: "int32", value: -2147483648 }],
  ["a.float32", { type: "float32", value: 0.5 }],
  ["a.float64", { type: "float64", value: Math.PI }],
  ["a.uint64", { type: "uint64", value: 2n ** 64n - 1n }],
  ["a.int64", { type: "int64", value: -(2n ** 63n) }],
  ["a.bool", { type: "bool", value: true }],
  ["a.text", { type: "string", value: "größer ✓" }],
  ["a.texts", { type: "array", of: "string", value: ["", "a", "Ġb"] }],
  ["a.numbers", { type: "array", of: "int32", value: [1, -1] }],
])
const bytes = new Uint8Array(64).map((_, i) => i)
const small = [{ name: "w", shape: [32, 1], type: "F16" as const, chunks: () => [bytes] }]

describe("reading and writing GGUF", () => {
  it("gives back every metadata type, the tensors and their bytes", async () => {
    const path = join(folder, "all.gguf")
    const written = await writeGguf(path, everyType, small)
    const file = await readGguf(path)
    expect(file.metadata).toEqual(everyType)
    expect(file.tensors).toMatchObject([{ name: "w", shape: [32, 1], type: "F16", bytes: 64 }])
    const content = await readFile(path)
    expect(new Uint8Array(content.subarray(file.tensors[0]!.offset, file.tensors[0]!.offset + 64))).toEqual(bytes)
    expect(written.bytes).toBe(content.length)
    expect(await readFile(`${path}.sha256`, "utf8")).toBe(`${written.sha256}  all.gguf\n`)
  })

  it("leaves nothing behind when a tensor breaks off", async () => {
    const before = await readdir(folder)
    const broken = [{ ...small[0]!, chunks: () => [bytes.subarray(0, 10)] }]
    await expect(writeGguf(join(folder, "broken.gguf"), everyType, broken)).rejects.toThrow(
      /tensor w gave 10 bytes instead of 64/,
    )
    expect(await readdir(folder)).toEqual(before)
  })

  it("refuses rows that the block does not divide, and names tensor and block", async () => {
    const bad = [{ name: "blk.0.x", shape: [33, 2], type: "Q8_0" as const, chunks: () => [bytes] }]
    await expect(writeGguf(join(folder, "x.gguf"), everyType, bad)).rejects.toThrow(
      /tensor blk\.0\.x has rows of 33, which Q8_0's block of 32 does not divide/,
    )
  })
})

describe("hostile and broken files", () => {
  async function attempt(name: string, content: Uint8Array): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, content)
    try {
      await readGguf(path)
      return "read"
    } catch (error) {
      expect(error).toBeInstanceOf(GgufError)
      return (error as GgufError).message
    }
  }

  function header(tensors: bigint, entries: bigint, rest: Uint8Array = new Uint8Array(64)): Buffer {
    const start = Buffer.alloc(24)
    start.write("GGUF")
    start.writeUInt32LE(3, 4)
    start.writeBigUInt64LE(tensors, 8)
    start.writeBigUInt64LE(entries, 16)
    return Buffer.concat([start, rest])
  }

  it("says what is wrong with an absent, an empty, a foreign and a big-endian file", async () => {
    await expect(readGguf(join(folder, "absent.gguf"))).rejects.toThrow(
      /^there is no such model file: [^:]*absent\.gguf; check the path$/,
    )
    expect(await attempt("empty", new Uint8Array())).toMatch(/too short/)
    expect(await attempt("foreign", new Uint8Array(100))).toMatch(/does not start with GGUF/)
    const bigEndian = header(0n, 0n)
    bigEndian.writeUInt32BE(3, 4)
    expect(await attempt("big", bigEndian)).toMatch(/big-endian/)
    const future = header(0n, 0n)
    future.writeUInt32LE(9, 4)
    expect(await attempt("future", future)).toMatch(/version 9 is not supported/)
  })

  it("allocates nothing for counts that the file cannot hold", async () => {
    expect(await attempt("counts", header(2n ** 60n, 0n))).toMatch(/number of tensors is 1152921504606846976/)
    expect(await attempt("entries", header(0n, 1_000_000n))).toMatch(/claims 1000000 metadata entries/)
    const longKey = Buffer.alloc(64)
    longKey.writeBigUInt64LE(50_000n)
    expect(await attempt("key", header(0n, 1n, longKey))).toMatch(/claims 50000 bytes of a text/)
  })

  it("says how much of a truncated file is missing", async () => {
    const whole = join(folder, "whole.gguf")
    await writeGguf(whole, everyType, small)
    const content = await readFile(whole)
    expect(await attempt("cut-data", content.subarray(0, -32))).toMatch(/tensor w ends 32 bytes after the file does/)
    expect(await attempt("cut-header", content.subarray(0, 300))).toMatch(
      /ends inside its header|than the file can hold/,
    )
  })

  it("never ends in anything but a file or a GgufError when bytes are changed at random", async () => {
    const whole = join(folder, "fuzz-source.gguf")
    await writeGguf(whole, everyType, small)
    const content = await readFile(whole)
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const changed = Buffer.from(content)
        changed[at] = byte
        await attempt("fuzz", changed)
      }),
      { numRuns: 200 },
    )
  })
})
