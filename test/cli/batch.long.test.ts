import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { runCli } from "../support/cli.ts"
import type { BatchMock } from "../support/mocks/batches/desk.ts"
import { startOpenaiBatches } from "../support/mocks/batches/openai.ts"
import { isNightly } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"

let mock: BatchMock
afterEach(() => mock.close())

/** A project of two variants on the mock, with samples `s0` … whose prompts are their texts. */
function project(samples: number, more = ""): string {
  const folder = scratchDirectory()
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, openai, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 2, outputPerMillion: 8, batchDiscount: 0.5, source: "test", date: "2026-01-01" }
const at = (model: string) => openai({ model, baseUrl: ${JSON.stringify(mock.baseUrl)}, apiKeyVariable: null })
export default defineConfig({
  name: "batched", dataset: dataset("data.jsonl"), metrics: [exactMatch()], retry: false,
  variants: ["a", "b"].map((name) => variant({ name, provider: at(name), price })),
  ${more}
})
`,
  )
  return folder
}

describe("evalkit run --batch", () => {
  it("asks by batch what the config asks live, and says that no latency was measured", async () => {
    mock = await startOpenaiBatches(null, { looks: 0 })
    const folder = project(8)
    const { stdout, stderr, code } = await runCli(["run", "--batch", "--json"], { cwd: folder })
    expect(code, stderr).toBe(0)
    const { variants } = JSON.parse(stdout)
    for (const variant of variants) {
      expect(variant.outcomes).toEqual({ ok: 8 })
      expect(variant.speed.ttftMs.p50).toEqual({ status: "unknown", reason: "not measured (batch)" })
    }
    expect(mock.batches.map(({ requests }) => requests.length)).toEqual([7, 7])
  })

  it("asks the same share of the samples live for every variant, and times those", { skip: !isNightly }, async () => {
    mock = await startOpenaiBatches(null, { looks: 0 })
    const folder = project(40)
    const { stdout, stderr } = await runCli(["run", "--batch", "--live-share", "0.25", "--json"], { cwd: folder })
    const { variants, comparisons } = JSON.parse(stdout)
    const live = variants.map(
      ({ speed }: { speed: { measured: number; cold?: number } }) => speed.measured + (speed.cold ?? 0),
    )
    expect(live[0], stderr).toBe(mock.live.length / 2)
    expect(live[1]).toBe(live[0])
    expect(live[0]).toBeGreaterThan(3)
    expect(variants[0].speed.untimed).toBe(40 - live[0])
    expect(variants[0].speed.ttftMs.p50.n).toBe(variants[0].speed.measured)
    expect(comparisons[0].performance.ttftMs.n).toBeLessThanOrEqual(live[0])
    const prompts = mock.live.map(({ model, messages }) => `${JSON.stringify(messages)} ${String(model)}`).sort()
    expect(prompts.filter((text) => text.endsWith(" a")).map((text) => text.slice(0, -1))).toEqual(
      prompts.filter((text) => text.endsWith(" b")).map((text) => text.slice(0, -1)),
    )
  })

  it("says beforehand what batches cost, and afterwards that a run which was interrupted waits for one", async () => {
    mock = await startOpenaiBatches(null, { looks: 1000 })
    const folder = project(8, "batch: { pollSeconds: 0.05 },")
    const dry = await runCli(["run", "--dry-run"], { cwd: folder })
    expect(dry.stdout).toMatch(
      /They cost \$0\.0656 at most\. That is by batch.*asked live they would cost \$0\.131 at most\./,
    )
    const live = await runCli(["run", "--dry-run", "--no-batch", "--json"], { cwd: folder })
    const { maxCostUsd, maxBatchCostUsd } = JSON.parse(live.stdout)
    expect(maxBatchCostUsd / maxCostUsd).toBeCloseTo(0.5, 9)
    const doctor = await runCli(["doctor"], { cwd: folder })
    expect(doctor.stdout).toContain("variant a: batches: taken, at 50 % of the usual price")
    expect(mock.batches).toEqual([])

    const { code, stderr } = await runCli(["run"], {
      cwd: folder,
      started: (child) => {
        const timer = setInterval(() => {
          if (mock.batches.filter(({ looks }) => looks > 0).length < 2) return
          clearInterval(timer)
          child.kill("SIGINT")
        }, 20)
      },
    })
    expect(code).toBe(130)
    expect(stderr).toContain("2 batches are left at the service, fetch the answers with --resume")
    const { stdout } = await runCli(["runs"], { cwd: folder })
    expect(stdout).toContain("waiting for 2 batches")
    expect(stdout).toMatch(/Fetch the answers with: npx evalkit run .*--resume \w+/)
  }, 90_000)
})
