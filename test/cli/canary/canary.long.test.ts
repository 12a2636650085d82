import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startCliProcess } from "../../support/one-process/cli-process.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { startCachingEndpoint } from "../bench/caching-endpoint.ts"

it("asks the challenger on a share of recorded traffic, and says what a canary would do and need", async () => {
  const challenger = await startCachingEndpoint()
  const folder = scratchDirectory()
  const rows = Array.from({ length: 200 }, (_, i) => ({ id: `r${i}`, input: `request ${i}`, reference: "w0" }))
  const lines = (list: readonly object[]) => `${list.map((row) => JSON.stringify(row)).join("\n")}\n`
  writeFileSync(join(folder, "traffic.jsonl"), lines(rows))
  const answers = rows.map(({ id }, i) => ({
    id,
    text: i % 4 === 0 ? "nothing" : "w0",
    ttftMs: 40,
    e2eMs: 80,
    usage: { promptTokens: 2, completionTokens: 2 },
  }))
  writeFileSync(join(folder, "answers.jsonl"), lines(answers))
  const price = (usd: number) =>
    `{ kind: "tokens", inputPerMillion: ${usd}, outputPerMillion: ${usd}, source: "t", date: "2026-01-01" }`
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { contains, dataset, defineConfig, openai, recorded, variant } from "evalkit"
export default defineConfig({ dataset: dataset("traffic.jsonl"), metrics: [contains()], concurrency: 4,
  variants: [variant({ name: "prod", provider: recorded("answers.jsonl"), price: ${price(1)} }),
    variant({ name: "challenger", provider: openai({ model: "m", baseUrl: ${JSON.stringify(challenger.url)}, apiKeyVariable: null }), price: ${price(2)} })] })
`,
  )
  const evalkit = startCliProcess({ cwd: folder })
  try {
    const run = await evalkit.run(["run", "--no-html", "--json", "--canary", "20%"])
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 })
    const picked = JSON.parse(run.stdout).dataset.samples as number
    expect(picked).toBeGreaterThan(22)
    expect(picked).toBeLessThan(60)
    // No request beyond the canary's share.
    expect(challenger.seen).toHaveLength(picked)
    const compare = [
      "compare",
      "prod",
      "challenger",
      "--canary",
      "5%,25%",
      "--requests-per-day",
      "1000",
      "--margin",
      "0.05",
    ]
    const { canary } = JSON.parse((await evalkit.run([...compare, "--json"])).stdout)
    expect(canary).toMatchObject({
      metric: "contains",
      margin: 0.05,
      power: 0.8,
      steps: [{ share: 0.05 }, { share: 0.25 }],
    })
    const [small, large] = canary.steps
    expect(small.requests_to_detect.value).toBeGreaterThan(large.requests_to_detect.value)
    expect(small.days.value).toBeCloseTo(small.requests_to_detect.value / 1000, 9)
    expect(small.cost_usd.value).toBeCloseTo((0.95 * 4 + 0.05 * 2 * 6) / 1e6, 8)
    const undated = compare.filter((word) => !["--requests-per-day", "1000"].includes(word))
    const { stdout } = await evalkit.run(undated)
    expect(stdout).toMatch(/canary +contains, all +TTFT p50\/p95 ms/)
    expect(stdout).toContain("A loss of 5 points in contains is found with 80 % power at an error rate of 5 %")
    expect(stdout).toMatch(/\n days unknown: \S.+\n$/)
    for (const wrong of ["0%", "150%", "five"])
      expect(await evalkit.run(["run", "--canary", wrong])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--canary must be a share between 0 and 100 %"),
      })
  } finally {
    await evalkit.end()
    await challenger.close()
  }
})
