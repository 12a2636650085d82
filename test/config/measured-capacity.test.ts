import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { withMeasuredCapacity } from "../../src/config/measured-capacity.ts"
import type { HourlyPrice } from "../../src/core/cost.ts"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const price: HourlyPrice = {
  ...{ kind: "hourly", usdPerHour: 3.6, instances: 1, utilisation: 1, source: "a cloud", date: "2026-01-01" },
  capacity: "bench.json",
}
const row = (variant: string, capacity: object | null) => ({ variant, requests: 100, ttft_ms: { p50: 1 }, capacity })
const carries = (rate: number) => ({
  ...{ requests_per_second: rate, interval: [0.9 * rate, 1.1 * rate], objectives: ["ttft<800ms", "tpot<50ms"] },
})

/** A folder with this bench. */
function folderOf(bench: unknown): string {
  const folder = scratchDirectory()
  writeFileSync(join(folder, "bench.json"), typeof bench === "string" ? bench : JSON.stringify(bench))
  return folder
}

describe("a price whose capacity is that of a bench", () => {
  it.each<[string, unknown, number]>([
    ["the variant of its name", [row("a", carries(4)), row("a", carries(4)), row("b", carries(10))], 10],
    ["the only variant, whatever its name", [row("llama", carries(7))], 7],
  ])("takes %s", (_, bench, rate) => {
    expect(withMeasuredCapacity(price, "b", folderOf(bench))).toEqual({
      ...price,
      capacity: {
        ...{ file: "bench.json", requestsPerSecond: rate, low: 0.9 * rate, high: 1.1 * rate },
        objectives: ["ttft<800ms", "tpot<50ms"],
      },
    })
  })

  it.each<[unknown, RegExp]>([
    ["", /not the output of evalkit bench --json/],
    [{ levels: [] }, /not the output of evalkit bench --json/],
    [[null, 3], /not the output of evalkit bench --json/],
    [[row("a", carries(1)), row("c", carries(2))], /none of this name: .*; it has a, c/],
    [[row("b", null)], /no load within objectives/],
    [[{ variant: "b", ttft_ms: null }], /no load within objectives/],
    [[row("b", { ...carries(3), objectives: [] })], /no load within objectives/],
    [[row("b", carries(0))], /no load within objectives/],
  ])("says what is wrong with %j", (bench, message) => {
    expect(() => withMeasuredCapacity(price, "b", folderOf(bench))).toThrow(message)
  })

  it("refuses a file that is not there, and a capacity that is stated twice", () => {
    expect(() => withMeasuredCapacity(price, "b", scratchDirectory())).toThrow(/cannot be read: ENOENT/)
    expect(() => withMeasuredCapacity({ ...price, requestsPerSecond: 3 }, "b", folderOf([]))).toThrow(/twice/)
  })

  it("stands in the decision of a run, with cost at that load; a bench of the config does not need the file", async () => {
    const folder = folderOf([row("a", carries(4)), row("b", carries(12))])
    const config = `import { defineConfig, exactMatch, recorded } from "evalkit"
      const dataset = Array.from({ length: 40 }, (_, i) => ({ id: String(i), input: "q" + i, reference: "yes" }))
      const provider = recorded(dataset.map(({ id }) => ({ id, output: "yes" })))
      const price = ${JSON.stringify(price)}
      export default defineConfig({ dataset, metrics: [exactMatch()], margin: 0.1, baseline: "a",
        variants: [{ name: "a", provider, price }, { name: "b", provider, price }] })`
    writeFileSync(join(folder, "eval.config.ts"), config)
    const { stdout } = await callCli(["run", "--json"], { cwd: folder })
    const { decision, variants } = JSON.parse(stdout)
    expect(decision.sentence).toContain(
      "b carries 12.0 requests a second within ttft<800ms, tpot<50ms, a 4.00 (95 % interval 10.8 to 13.2; bench.json).",
    )
    const perThousand = variants.map(({ cost }: { cost: { perThousandUsd: object } }) => cost.perThousandUsd)
    expect(perThousand[1]).toMatchObject({ value: expect.closeTo(1 / 12, 9), low: expect.closeTo(1 / 13.2, 9) })
  }, 60_000)
})
