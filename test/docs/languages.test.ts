import { describe, expect, it } from "vitest"
import { languageFigures, languagePage, languageTexts, textMetrics } from "../../scripts/docs/languages.ts"

describe("the page of languages", () => {
  it("has the figures that the code gives", async () => {
    await expect(await languagePage()).toMatchFileSnapshot("../../docs/reviewers/languages.md")
  })

  it.each(textMetrics)("has no figure of %s that tells nothing, unless a note says so", async (...tried) => {
    for (const [code, texts] of Object.entries(languageTexts)) {
      const [best, near, other] = await languageFigures(tried, texts)
      if (!best || !near || !other) continue
      const worse = tried[1].direction === "higher" ? [near.value, other.value] : [-near.value, -other.value]
      const top = tried[1].direction === "higher" ? best.value : -best.value
      expect(Math.max(...worse), code).toBeLessThanOrEqual(top)
      expect(Math.min(...worse), code).toBeLessThan(top)
      // One changed year is not the whole text; a yes or no has no third value.
      if (!best.hasNote && worse.some((value) => value !== 0 && value !== 1)) expect(new Set(worse).size, code).toBe(2)
    }
  })
})
