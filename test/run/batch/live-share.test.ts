import { describe, expect, it } from "vitest"
import { liveSamples } from "../../../src/run/batch/live-share.ts"

describe("the live share", () => {
  it("is a draw of each sample alone, about as large as it is asked for", () => {
    const ids = Array.from({ length: 2000 }, (_, i) => `s${i}`)
    const drawn = ids.filter(liveSamples(1, 0.2))
    expect(drawn.length).toBeGreaterThan(320)
    expect(drawn.length).toBeLessThan(480)
    expect(ids.slice(0, 100).filter(liveSamples(1, 0.2))).toEqual(drawn.filter((id) => Number(id.slice(1)) < 100))
    expect(ids.filter(liveSamples(2, 0.2))).not.toEqual(drawn)
    expect(ids.filter(liveSamples(1, 0))).toEqual([])
  })
})
