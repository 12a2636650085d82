import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()

/** Sixty questions to two functions that take the same time, some 4 to 12 ms, on a machine that is paid by the hour. */
async function runOfTwo(name: string, limitUsd: number) {
  await writeFile(
    join(folder, `${name}.config.ts`),
    `import { defineConfig, exactMatch, fromFunction, variant } from "evalkit"
const price = { kind: "hourly" as const, usdPerHour: 3, instances: 1, utilisation: 1, source: "check", date: "2026-11-01" }
let calls = 0
const answer = async () => {
  await new Promise((resolve) => setTimeout(resolve, 4 + (calls++ * 7) % 9))
  return { text: "a", usage: { promptTokens: 3, completionTokens: 5, cachedPromptTokens: null, reasoningTokens: null } }
}
export default defineConfig({
  dataset: Array.from({ length: 60 }, (_, i) => ({ id: \`s\${i}\`, input: \`q\${i}\`, references: ["a"] })),
  concurrency: 4,
  metrics: [exactMatch()],
  axes: ["quality", "costUsd"],
  margin: 0.1,
  constraints: ["costUsd <= ${limitUsd}"],
  variants: ["a", "b"].map((name) => variant({ name, price, provider: fromFunction(answer, { name }) })),
})`,
  )
  const { stdout, stderr } = await callCli(["run", `${name}.config.ts`, "--no-html", "--json"], { cwd: folder })
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout)
}

it("gives cost by the hour an interval, which the frontier and limits respect", { timeout: 60_000 }, async () => {
  const report = await runOfTwo("two", 1)
  const costs = report.variants.map(({ cost }: { cost: Record<string, unknown> }) => cost)
  for (const cost of costs)
    for (const name of ["totalUsd", "perQueryUsd", "perThousandUsd", "perCorrectUsd"]) {
      const { low, value, high } = cost[name]
      expect(low, name).toBeLessThan(value)
      expect(high, name).toBeGreaterThan(value)
    }
  for (const { membershipProbability } of report.frontier.points) {
    expect(membershipProbability).toBeGreaterThan(0)
    expect(membershipProbability).toBeLessThan(1)
  }
  const [cost] = report.comparisons[0].changes.filter(({ figure }: { figure: string }) => figure === "costUsd")
  expect(cost).toMatchObject({ isProven: false, method: expect.stringContaining("from the intervals of both") })
  expect(cost).toMatchObject({ n: 60, isPaired: false })
  expect(report.decision.evidence).toMatch(/Cost: between [^(]* \(60 answers on each side, not paired/)
  expect(cost.low).toBeLessThan(0)
  expect(cost.high).toBeGreaterThan(0)
  // A limit that lies inside of the interval is not decided.
  const second = await runOfTwo("limited", costs[0].perQueryUsd.value)
  const { low, high } = second.variants[0].cost.perQueryUsd
  const isInside = low < costs[0].perQueryUsd.value && costs[0].perQueryUsd.value < high
  expect(second.variants[0].limits[0].state === "open").toBe(isInside)
})
