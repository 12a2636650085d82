import { describe, expect, it } from "vitest"
import { shortenedNames } from "../../src/words/short-names.ts"

describe("names of a page that are too long", () => {
  it("lose their middle, or begin where they differ, and never become one name", () => {
    expect(shortenedNames(["thinker-effort-low", "thinker-effort-high"], 12)).toEqual(["thinke…t-low", "thinke…-high"])
    const [a, b] = shortenedNames(["organisation-4o-mini-2024-07-18", "organisation-4b-mini-2024-07-18"], 12)
    expect([a, b]).toEqual(["…-4o-mini-20", "…-4b-mini-20"])
  })

  it("are whole where they fit, and counted by characters, not by halves of them", () => {
    expect(shortenedNames(["m-f16", "𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜"], 8)).toEqual(["m-f16", "𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜"])
  })
})
