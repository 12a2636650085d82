import { isUtf8 } from "node:buffer"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeUtf8 } from "../../datasets/decode.ts"
import { UsageError } from "../../src/core/errors.ts"
import { lines } from "../../src/platform/lines.ts"
import { collect } from "../datasets/support.ts"

/** The same bytes in pieces of the given sizes, over and over. */
async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] as number
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 })
const text = fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀", "\n", "\r\n", "\ufeff") })
/** Bytes that are often nearly UTF-8. */
const bytes = fc
  .array(
    fc.constantFrom(
      [0x61],
      [0x0a],
      [0xc3, 0xa9],
      [0xc3],
      [0xe2, 0x82, 0xac],
      [0xe2, 0x82],
      [0xff],
      [0xf0, 0x9f, 0x98, 0x80],
    ),
  )
  .map((parts) => Uint8Array.from(parts.flat()))

describe("lines", () => {
  it("brings the same lines however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(text, sizes, async (content, cut) => {
        const result = await collect(lines(pieces(Buffer.from(content), cut), 1000))
        const expected = content.replace(/^\ufeff/, "").split("\n")
        const texts = result.map((line) => line.text)
        // Nothing after the last line feed is no line.
        expect([...texts, ""].slice(0, expected.length).map((line) => line ?? "")).toEqual(
          expected.map((line) => line.replace(/\r$/, "")),
        )
        expect(result.map((line) => line.number)).toEqual(result.map((_, i) => i + 1))
      }),
    )
  })

  it("skips a line that is too long without keeping it in memory, and continues with the next", async () => {
    const result = await collect(lines(pieces(Buffer.from("ok\nfar too long\nok\n"), [3]), 5))
    expect(result.map((line) => line.text)).toEqual(["ok", null, "ok"])
  })

  it("names the offset of the first invalid byte of each bad line", async () => {
    const content = Buffer.concat([Buffer.from("é\na"), Buffer.from([0xff]), Buffer.from("b\n"), Buffer.from([0xc3])])
    const result = await collect(lines(pieces(content, [2]), 1000))
    expect(result.slice(1).map((line) => ("fault" in line ? line.fault : null))).toEqual([
      "invalid UTF-8 at byte offset 4",
      "invalid UTF-8 at byte offset 8",
    ])
  })
})

describe("decodeUtf8", () => {
  it("decodes valid bytes however they are cut, and refuses all others with the place", async () => {
    await fc.assert(
      fc.asyncProperty(bytes, sizes, async (content, cut) => {
        const result = await collect(decodeUtf8(pieces(content, cut), "file")).then(
          (parts) => parts.join(""),
          (error: unknown) => error,
        )
        if (isUtf8(content)) {
          expect(result).toBe(Buffer.from(content).toString("utf8"))
          return
        }
        expect(result).toBeInstanceOf(UsageError)
        const { message, where } = result as UsageError
        const offset = Number(/byte offset (\d+)/.exec(message)?.[1])
        const before = content.subarray(0, offset)
        // What comes before is text, but for a character that the bad byte cut off.
        expect([0, 1, 2, 3].some((back) => isUtf8(before.subarray(0, before.length - back)))).toBe(true)
        expect(where).toBe(`file:${before.filter((byte) => byte === 10).length + 1}`)
      }),
      { numRuns: 300 },
    )
  })
})
