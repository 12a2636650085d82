import { expect, it } from "vitest"
import { cleanSwaps, linesOf, plants } from "../../support/planted-regressions.ts"

it("names causes of eighteen of twenty planted regressions in the first three lines", {
  timeout: 120_000,
}, async () => {
  const missed: (readonly [string, readonly string[]])[] = []
  for (const [name, plant] of Object.entries(plants)) {
    const lines = (await linesOf("planted", { plant })).slice(0, 3)
    if (!lines.some((line) => plant.named.every((pattern) => pattern.test(line)))) missed.push([name, lines])
  }
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(2)
})

it("names a cause in at most one of twenty swaps that break nothing in particular", { timeout: 120_000 }, async () => {
  const lines: (readonly string[])[] = []
  for (const [i, clean] of cleanSwaps.entries()) lines.push(await linesOf(`clean-${i}`, { clean }))
  expect(lines.filter((found) => found.length > 0).length).toBeLessThanOrEqual(1)
})
