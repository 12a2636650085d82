import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createStopMatcher } from "../../../src/local-model/serve/stop-matcher.ts"

/** What a reader sees when the text arrives in these pieces. */
function released(pieces: readonly string[], stops: readonly string[]): string {
  const matcher = createStopMatcher(stops)
  let seen = ""
  for (const piece of pieces) {
    const { text, stopped } = matcher.push(piece)
    seen += text
    if (stopped) return seen
  }
  return seen + matcher.flush()
}

describe("createStopMatcher", () => {
  it("holds back what may be the head of a stop text", () => {
    const matcher = createStopMatcher(["END"])
    expect(matcher.push("the E")).toEqual({ text: "the ", stopped: false })
    expect(matcher.push("N")).toEqual({ text: "", stopped: false })
    expect(matcher.push("d")).toEqual({ text: "ENd", stopped: false })
  })

  it("ignores empty stop texts", () => {
    expect(released(["a", "b"], [""])).toBe("ab")
  })

  it("shows the text up to the first stop text however it is cut into pieces", () => {
    const letter = fc.constantFrom("a", "b", "c")
    const word = fc.string({ unit: letter, minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: letter, maxLength: 5 })),
        fc.array(word, { maxLength: 3 }),
        (pieces, stops) => {
          const text = pieces.join("")
          const ends = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
          const seen = released(pieces, stops)
          if (ends.length === 0) expect(seen).toBe(text)
          else {
            // The stop text that is complete first wins; nothing of it is ever shown.
            expect(text.startsWith(seen)).toBe(true)
            expect(stops.some((stop) => text.startsWith(stop, seen.length))).toBe(true)
            for (const stop of stops) expect(seen.includes(stop)).toBe(false)
          }
        },
      ),
    )
  })
})
