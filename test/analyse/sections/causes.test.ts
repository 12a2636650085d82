import { describe, expect, it } from "vitest"
import { cleanSwaps, linesOf, plants } from "../../support/planted-regressions.ts"

describe("causes of losses", () => {
  it.each(Object.entries(plants))("%s is named in the first three lines", async (_name, plant) => {
    const lines = (await linesOf("planted", { plant })).slice(0, 3)
    expect(lines.filter((line) => plant.named.every((pattern) => pattern.test(line)))).toHaveLength(1)
  })

  it("are none in at least nineteen of twenty swaps that break nothing in particular", async () => {
    const lines = await Promise.all(cleanSwaps.map((clean, i) => linesOf(`clean-${i}`, { clean })))
    expect(lines.filter((found) => found.length > 0).length).toBeLessThanOrEqual(1)
  })
})
