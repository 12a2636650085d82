import { describe, expect, it } from "vitest"
import { priceAgeNote } from "../../src/cost/price-age.ts"
import { tokenPrice } from "./generations.ts"

describe("the age of a price", () => {
  const at = "2026-11-22T10:00:00.000Z"

  it("is said when the price was read more than 90 days before the run", () => {
    expect(priceAgeNote({ ...tokenPrice, date: "2026-06-01" }, at)).toMatch(
      /read on 2026-06-01, 174 days before the run/,
    )
    expect(priceAgeNote({ ...tokenPrice, date: "2026-08-23" }, at)).toMatch(/91 days/)
  })

  it("is not said of a fresh price, of none, and of one without a readable date", () => {
    expect(priceAgeNote({ ...tokenPrice, date: "2026-08-24" }, at)).toBeNull()
    expect(priceAgeNote({ ...tokenPrice, date: "last spring" }, at)).toBeNull()
    expect(priceAgeNote(null, at)).toBeNull()
  })
})
