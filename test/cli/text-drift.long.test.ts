import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A model to which every character is a token; each text has its own probability, which falls as DRIFT grows. */
const config = `import { defineConfig, perplexity, textScorer } from "evalkit"

const drift = Number(process.env.DRIFT)
const provider = {
  kind: "fake", model: "m", label: "fake m", endpoint: "fake", identity: { kind: "fake" },
  async open() {
    return {
      scoreText: async (text) =>
        [...text].map((token) => ({ token, logprob: Math.log(1 / (2 + text.length / 50)) - drift * (1 + text.length / 100), top: [] })),
      request: () => { throw new Error("nothing is to be generated") },
      resources: async () => ({ peakRssBytes: null, rssOverIdleBytes: null, cpuSeconds: null, gpu: null, modelBytes: null, loadMs: null, reason: "a fake" }),
      notes: () => [],
      close: async () => {},
    }
  },
}

export default defineConfig({
  name: "drift",
  dataset: Array.from({ length: 40 }, (_, i) => ({ id: "t" + i, input: "text ".repeat(2 + i) })),
  variants: [{ name: "v", provider: textScorer(provider, { window: 10 }), price: null }],
  metrics: [perplexity()],
})
`

it("perplexity of given texts drifts over stored runs, and the trend raises an alarm by a paired test", async () => {
  const cwd = scratchDirectory()
  writeFileSync(join(cwd, "eval.config.ts"), config)
  const run = async (drift: number) => {
    const { code, stdout, stderr } = await runCli(["run", "--no-html", "--json"], {
      cwd,
      environment: { DRIFT: `${drift}` },
    })
    expect(code, stderr).toBe(0)
    return (JSON.parse(stdout) as RunReport).variants[0]!.quality[0]!
  }
  const first = await run(0)
  expect(first).toMatchObject({ metric: "perplexity", scored: 40 })
  await run(0)
  const still = await runCli(["trend", "v", "--json"], { cwd })
  expect(still.code, still.stderr).toBe(0)
  const third = await run(0.05)
  if (first.figure.status !== "known" || third.figure.status !== "known") throw new Error("not measured")
  expect(third.figure.value).toBeGreaterThan(first.figure.value)
  const moved = await runCli(["trend", "v", "--json"], { cwd })
  expect(moved.code, moved.stderr).toBe(3)
  const { points } = JSON.parse(moved.stdout) as { points: readonly { alarm: boolean; p_adjusted: number | null }[] }
  expect(points.map(({ alarm }) => alarm)).toEqual([false, false, true])
  expect(points[2]!.p_adjusted!).toBeLessThan(0.001)
}, 120_000)
