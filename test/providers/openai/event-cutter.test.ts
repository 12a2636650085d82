import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createEventCutter } from "../../../src/providers/openai/event-cutter.ts"

function cut(...chunks: readonly string[]): string[] {
  const cutter = createEventCutter()
  const events = chunks.flatMap((chunk) => cutter.add(Buffer.from(chunk)))
  return [...events, cutter.rest()].map((event) => Buffer.from(event).toString()).filter((event) => event !== "")
}

describe("createEventCutter", () => {
  it.each([
    ["LF", "data: a\n\n", "data: b\n\n"],
    ["CRLF", "data: a\r\n\r\n", "data: b\r\n\r\n"],
  ])("cuts after the blank line when lines end in %s", (_, first, second) => {
    expect(cut(first + second)).toEqual([first, second])
  })

  it("cuts events whose lines end in CR", () => {
    expect(cut("data: a\r\rdata: b\r\r")).toEqual(["data: a\r\r", "data: b\r\r"])
  })

  it("keeps an event together that comes in pieces", () => {
    expect(cut("da", "ta: a\n", "\ndata: b\n\nda", "ta: c")).toEqual(["data: a\n\n", "data: b\n\n", "data: c"])
  })

  it("loses and adds no byte, wherever the chunks are cut", () => {
    const piece = fc.array(fc.constantFrom("\n", "\r", "\r\n", "\n\n", "data: x", "é"), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const chunks = pieces.map((parts) => parts.join(""))
        return cut(...chunks).join("") === chunks.join("")
      }),
    )
  })
})
