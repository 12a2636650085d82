import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()

async function dryRun(price: string, ...args: string[]) {
  const name = price === "" ? "unpriced.config.ts" : "priced.config.ts"
  await writeFile(
    join(folder, name),
    `import { defineConfig, episode, exactMatch, openai, simulatedUser, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 10, cachedInputPerMillion: null, source: "test", date: "2026-01-01" }
const apart = (model) => openai({ model, baseUrl: "http://127.0.0.1:9/v1", apiKeyVariable: null${price} })
export default defineConfig({
  dataset: [{ id: "a", goal: "an answer" }, { id: "b", goal: "another" }],
  repeats: 3,
  variants: [variant({
    name: "clerk",
    provider: openai({ model: "clerk", baseUrl: "http://127.0.0.1:9/v1", apiKeyVariable: null, price }),
    parameters: { maxTokens: 100 },
    episode: episode({
      user: simulatedUser({ provider: apart("customer"), goal: "{{goal}}", maxTurns: 4, parameters: { maxTokens: 50 } }),
      history: { last: 1, summary: { provider: apart("noter"), parameters: { maxTokens: 60 } } },
    }),
  })],
  metrics: [exactMatch()],
})`,
  )
  const io = fakeIo({ cwd: folder, environment: { EVALKIT_CACHE_DIR: join(folder, "cache") } })
  const code = await main(["run", name, "--dry-run", ...args], io)
  expect(code, io.stderr()).toBe(0)
  return io.stdout()
}

describe("a dry run", { timeout: 180_000 }, () => {
  it("prices the simulated user and the summaries apart, with all that they may be shown and say", async () => {
    const { variants, users, summaries, maxCostUsd } = JSON.parse(await dryRun(", price", "--json"))
    // 2 samples, 3 repeats; 4 turns of the user, and a summary before the third and the fourth.
    expect(users).toMatchObject([{ variant: "clerk", model: "openai customer", maxCalls: 24 }])
    expect(summaries).toMatchObject([{ variant: "clerk", model: "openai noter", maxCalls: 12 }])
    // What a run costs is all of it.
    expect(maxCostUsd).toBeCloseTo(variants[0].maxCostUsd + users[0].maxCostUsd + summaries[0].maxCostUsd, 12)
    // At least the longest answers; at most a thousand tokens of prompt more in each call.
    const [user, summary] = [users[0].maxCostUsd, summaries[0].maxCostUsd]
    expect(user).toBeGreaterThan(24 * 50 * 10e-6)
    expect(user).toBeLessThan(24 * (50 * 10e-6 + 1000e-6))
    expect(summary).toBeGreaterThan(12 * 60 * 10e-6)
    expect(summary).toBeLessThan(12 * (60 * 10e-6 + 1000e-6))
    const shown = await dryRun(", price")
    expect(shown).toMatch(
      /The simulated user of clerk asks openai customer: 24 calls at most, \$0\.0\d+ at most, an equal one/,
    )
    expect(shown).toMatch(/Earlier turns of clerk are summed up by openai noter: 12 calls at most, \$0\.0\d+ at most/)
  })

  it("says that their price is unknown where it is", async () => {
    const { users, summaries } = JSON.parse(await dryRun("", "--json"))
    expect([users[0].maxCostUsd, summaries[0].maxCostUsd]).toEqual([null, null])
    expect(await dryRun("")).toContain("24 calls at most, at a price that is unknown")
  })
})
