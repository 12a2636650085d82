import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { segmentsOf, wordDiff } from "../../../reports/app/samples/segments.ts"

describe("an answer's text in segments", () => {
  it("is cut where a difference or a marked passage begins or ends", () => {
    const { a } = wordDiff("opened in 1902 by the sea", "opened in 1912 by the sea")
    const segments = segmentsOf("opened in 1902 by the sea", a, [[7, 7, 0, "no passage says so"]])
    expect(segments).toEqual([
      { text: "opened ", own: false, passages: [], ends: [] },
      { text: "in", own: false, passages: [0], ends: [] },
      { text: " 1902", own: true, passages: [0], ends: [0] },
      { text: " by the sea", own: false, passages: [], ends: [] },
    ])
  })

  it("loses no character, and covers each passage exactly, whatever overlaps", () => {
    const passage = fc.tuple(fc.integer({ min: -2, max: 30 }), fc.integer({ min: -1, max: 12 }))
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        fc.string({ maxLength: 30 }),
        fc.array(passage),
        (text, other, list) => {
          const highlights = list.map(([start, length]) => [start, length, 0, ""] as const)
          const segments = segmentsOf(text, wordDiff(text, other).a, highlights)
          expect(segments.map((segment) => segment.text).join("")).toBe(text)
          highlights.forEach(([start, length], position) => {
            const inside = start >= 0 && length > 0 && start + length <= text.length
            const covered = segments.filter((own) => own.passages.includes(position)).map((segment) => segment.text)
            expect(covered.join("")).toBe(inside ? text.slice(start, start + length) : "")
            expect(segments.filter((segment) => segment.ends.includes(position))).toHaveLength(inside ? 1 : 0)
          })
        },
      ),
    )
  })
})
