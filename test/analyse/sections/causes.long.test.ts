import { expect, it } from "vitest"
import { cleanSwaps, linesOf, plants } from "../../support/planted-regressions.ts"

const seeds = Array.from({ length: 10 }, (_, i) => i)

it("names eighteen of twenty planted regressions in the first three lines", { timeout: 600_000 }, async () => {
  const named: Record<string, number> = {}
  for (const [name, plant] of Object.entries(plants)) {
    const all = await Promise.all(seeds.map((seed) => linesOf(`${name}-${seed}`, { plant })))
    const isNamed = (line: string) => plant.named.every((pattern) => pattern.test(line))
    named[name] = all.filter((lines) => lines.slice(0, 3).some(isNamed)).length
  }
  console.log(named)
  const sum = Object.values(named).reduce((total, count) => total + count, 0)
  expect(sum).toBeGreaterThanOrEqual(0.9 * seeds.length * Object.keys(plants).length)
})

it.each([1, 5])(
  "names something in at most one of twenty clean swaps in clusters of %i",
  { timeout: 600_000 },
  async (clusterSize) => {
    const all = cleanSwaps.flatMap((clean, i) =>
      seeds.map((seed) => linesOf(`clean-${i}-${seed}`, { clean, clusterSize })),
    )
    const falsely = (await Promise.all(all)).filter((lines) => lines.length > 0)
    console.log(falsely)
    expect(falsely.length).toBeLessThanOrEqual(all.length / 20)
  },
)
