import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

/** Twenty answers of 100 and 50 tokens, of which every fifth is wrong; with a price, or without one. */
async function writeConfig(name: string, price: string) {
  await writeFile(
    join(cwd, name),
    `import { defineConfig, exactMatch, fromFunction, variant } from "evalkit"
const usage = { promptTokens: 100, completionTokens: 50, cachedPromptTokens: null, reasoningTokens: null }
const provider = fromFunction(async ({ sample }) => ({ text: Number(sample.id) % 5 ? "a" : "b", usage }), { name: "f" })
export default defineConfig({
  dataset: Array.from({ length: 20 }, (_, i) => ({ id: String(i), input: \`q\${i}\`, references: ["a"] })),
  variants: [variant({ name: "m", provider${price} })],
  metrics: [exactMatch()],
})`,
  )
}
const price =
  ', price: { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 10, source: "test", date: "2026-01-01" }'

const evalkit = async (...args: string[]) => {
  const called = await callCli(args, { cwd })
  expect(called.code, called.stderr).toBe(0)
  return called.stdout
}

it("gives a stored run the prices that its config states now; its scores stay", { timeout: 60_000 }, async () => {
  await writeConfig("bare.config.ts", "")
  const before = JSON.parse(await evalkit("run", "bare.config.ts", "--json", "--no-html"))
  expect(before.variants[0].cost.totalUsd.status).toBe("unknown")
  await writeConfig("priced.config.ts", price)
  const [repriced] = JSON.parse(await evalkit("price", before.run.id, "--config", "priced.config.ts", "--json"))
  expect(repriced).toMatchObject({ variant: "m", answers: 20, changed: 20, beforeUsd: 0, unknown: 0, reason: null })
  const bill = 20 * (100e-6 + 500e-6)
  expect(repriced.afterUsd).toBeCloseTo(bill, 12)
  const after = JSON.parse(await evalkit("report", before.run.id, "-f", "json"))
  expect(after.variants[0].cost.totalUsd.value).toBeCloseTo(bill, 12)
  expect(after.variants[0].cost.perCorrectUsd.value).toBeCloseTo(bill / 16, 12)
  expect(after.variants[0].quality).toEqual(before.variants[0].quality)
  // A second time nothing is another one.
  expect(await evalkit("price", before.run.id, "--config", "priced.config.ts")).toMatch(
    /m\s+20\s+0\s+\$0\.0120\s+\$0\.0120/,
  )
})

it("names the command that gives a stored run its prices where a limit or a budget lacks them", {
  timeout: 60_000,
}, async () => {
  await writeConfig("limited.config.ts", "")
  await addMember("limited.config.ts", 'constraints: ["costUsd <= 0.01"]')
  const run = await callCli(["run", "limited.config.ts", "--json", "--no-html"], { cwd })
  const { id } = JSON.parse(run.stdout).run
  const advice = `No price is known of m: state it in the config, then: npx evalkit price ${id} --config limited.config.ts`
  expect(run.stderr).toContain(advice)
  const gate = await callCli(["gate", id, "--max", "costUsd=0.01"], { cwd })
  expect(gate.stdout).toContain(advice)
  const resumed = await callCli(["run", "limited.config.ts", "--resume", id, "--budget", "1usd"], { cwd })
  expect(resumed.stderr).toContain(`state its price in the config and give it to the run with npx evalkit price ${id}`)
  await evalkit("price", id, "--config", "priced.config.ts")
  expect(await evalkit("gate", id, "--max", "costUsd=0.01")).not.toContain("No price")
})

async function addMember(name: string, member: string): Promise<void> {
  const text = await readFile(join(cwd, name), "utf8")
  await writeFile(join(cwd, name), text.replace("  metrics:", `  ${member},\n  metrics:`))
}
