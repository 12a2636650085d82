import { expect, it } from "vitest"
import { sized } from "../../support/nightly.ts"
import { cleanSwaps, linesOf, type Plant, plants } from "../../support/planted-regressions.ts"

/** By day a fifth of the swaps in which nothing in particular breaks. */
const played = cleanSwaps.slice(0, sized(20, 4))

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
  for (const [i, clean] of played.entries()) lines.push(await linesOf(`clean-${i}`, { clean }))
  expect(lines.filter((causes) => causes.length > 0).length).toBeLessThanOrEqual(1)
})

it("names a cause in at most one of twenty such swaps whose samples are alike in clusters of five", {
  timeout: 120_000,
}, async () => {
  const lines: (readonly string[])[] = []
  for (const [i, clean] of played.entries()) lines.push(await linesOf(`alike-${i}`, { clean, clusterSize: 5 }))
  expect(lines.filter((causes) => causes.length > 0).length).toBeLessThanOrEqual(1)
})

it("names a cause of whole clusters, and one that is in all answers", { timeout: 60_000 }, async () => {
  const [topic] = await linesOf("clusters", { plant: plants["one topic"] as Plant, clusterSize: 5 })
  expect(topic).toMatch(/topic refunds/)
  const everywhere = { ...(plants["another unit"] as Plant), rate: 1 }
  for (const clusterSize of [1, 5]) {
    const lines = await linesOf("everywhere", { plant: everywhere, clusterSize })
    expect(lines).toEqual([expect.stringMatching(/(has "lb"|lacks "kg").*, all of them$/)])
  }
})
