import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { scratchDirectory } from "../../support/scratch.ts"
import { freePort } from "../../support/servers/free-port.ts"
import { evalkit } from "./endpoint.ts"

const server = new URL("../../support/servers/tuned-server.mjs", import.meta.url).pathname

/** A grid of settings of one server, at a dollar an hour. */
async function gridFolder(slots: readonly number[], batches: readonly number[]): Promise<string> {
  const folder = scratchDirectory()
  const port = await freePort()
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { command, defineConfig, inline, sweep, variant } from "evalkit"
     const price = { kind: "hourly", usdPerHour: 1, instances: 1, utilisation: 1, source: "a cloud", date: "2026-01-01" }
     export default defineConfig({
       dataset: inline([{ input: "one" }, { input: "two" }]),
       variants: sweep({ slots: ${JSON.stringify(slots)}, batch: ${JSON.stringify(batches)} }, ({ slots, batch }) => variant({
         name: "s",
         price,
         provider: command({
           command: process.execPath,
           args: [${JSON.stringify(server)}, "--port", "${port}", "--slots", String(slots), "--batch", String(batch)],
           readiness: { port: ${port}, timeoutMs: 20_000 },
           baseUrl: "http://127.0.0.1:${port}/v1",
           model: "m",
           graceMs: 200,
         }),
       })),
     })`,
  )
  return folder
}

/** Requests a second in closed form; 0 where the setting breaks its objectives or does not start. */
function carried(slots: number, batch: number): number {
  const tokenMs = 20 + 10 * (slots - 1)
  if (tokenMs > 42 || batch > 512) return 0
  return (1000 * slots) / ((batch === 256 ? 20 : 60) + 7 * tokenMs)
}

interface Row {
  readonly variant: string
  readonly setting: { readonly state: string; readonly is_cheapest?: boolean; readonly per_thousand_usd: number }
  readonly capacity: {
    readonly requests_per_second: number
    readonly interval: readonly [number | null, number | null]
  }
  readonly failed_start?: string
}

describe("evalkit bench --tune", () => {
  it.each([
    [
      ["--max-concurrency", "8", "--requests", "40"],
      [1, 2, 4],
      [64, 256, 1024],
    ],
    [
      ["--concurrency", "4,2,1", "--requests", "40"],
      [1, 2, 4],
      [64, 256, 1024],
    ],
    [
      ["--find-rate", "--requests", "30"],
      [2, 4, 1],
      [256, 64],
    ],
  ])(
    "finds the setting that the closed form and all settings one by one have as the best: %j",
    async (load, slots, batches) => {
      const folder = await gridFolder(slots, batches)
      const isSearch = load[0] === "--find-rate"
      const slo = `ttft<${isSearch ? 400 : 130}ms,tpot<42ms`
      const args = ["bench", "--tune", "--slo", slo, "--no-calibrate", "--capture-threads", "0", ...load]
      const { exitCode, out, err } = await evalkit([...args, "--json"], folder)
      expect([exitCode, err.includes("evalkit: incomplete")]).toEqual([0, false])
      const rows: Row[] = JSON.parse(out)
      const all = slots.flatMap((slot) =>
        batches.map((batch) => ({ rate: carried(slot, batch), name: `s-slots-${slot}-batch-${batch}` })),
      )
      const best = all.toSorted((a, b) => b.rate - a.rate)[0]
      const cheapest = rows.filter(({ setting }) => setting.is_cheapest)
      expect(new Set(cheapest.map(({ variant }) => variant))).toEqual(new Set([best?.name]))
      const state = (variant: string) => rows.find((row) => row.variant === variant)?.setting.state
      expect(state("s-slots-4-batch-256")).toBe(isSearch ? "beaten" : "missed")
      const { requests_per_second: rate, interval } = (cheapest[0] as Row).capacity
      expect(cheapest[0]?.setting.per_thousand_usd).toBeCloseTo(1000 / 3600 / rate, 9)
      expect([(interval[0] ?? 0) <= rate, (interval[1] ?? rate) >= rate]).toEqual([true, true])
      // An open loop has waits, and carries less than slots that are always full.
      if (isSearch) return
      expect(rate / (best?.rate ?? 0)).toBeGreaterThan(0.8)
      expect(rows.filter(({ failed_start }) => failed_start?.includes("out of memory"))).toHaveLength(3)
    },
    400_000,
  )

  it.each([
    ["measures the others all the same, and ends incomplete", [], [1024, 256], 5, "s-slots-2-batch-1024 did not start"],
    [
      "says so where it is one of many settings",
      ["--tune"],
      [1024, 256],
      0,
      "s-slots-2-batch-256 is the cheapest of 2 settings",
    ],
    [
      "says that none keeps the objectives where it is every setting",
      ["--tune"],
      [1024, 2048],
      5,
      "None of 2 settings keeps",
    ],
  ])(
    "of a server that does not start %s",
    async (_, options, batches, code, words) => {
      const folder = await gridFolder([2], batches)
      const load = [
        "--slo",
        "ttft<130ms",
        "--requests",
        "6",
        "--concurrency",
        "1",
        "--no-calibrate",
        "--capture-threads",
        "0",
      ]
      const { exitCode, out } = await evalkit(["bench", ...options, ...load], folder)
      expect([exitCode, out]).toEqual([code, expect.stringContaining(words)])
      expect(out).toContain("out of memory")
    },
    60_000,
  )

  it("goes on where a killed search ended: what was measured is taken, the rest is measured", async () => {
    const folder = await gridFolder([1, 2], [256])
    const load = ["--requests", "6", "--concurrency", "1", "--no-calibrate", "--capture-threads", "0"]
    const bench = (options: readonly string[], slo = "ttft<400ms") =>
      evalkit(["bench", "--tune", "--slo", slo, ...load, "--resume", "kept.jsonl", "--json", ...options], folder)
    const first = await bench(["--variant", "s-slots-1-batch-256"])
    const file = join(folder, "kept.jsonl")
    const [line] = readFileSync(file, "utf8").split("\n")
    // A kill in the middle of a line.
    writeFileSync(file, `${line}\n${line?.slice(0, 50)}`)
    const second = await bench([])
    expect(second.err).toContain("s-slots-1-batch-256 was measured by an earlier call: taken from kept.jsonl")
    expect(second.err).not.toContain("s-slots-2-batch-256 was measured by an earlier call")
    const [own, other] = JSON.parse(second.out) as { variant: string; ttft_ms: unknown; setting: object }[]
    const [before] = JSON.parse(first.out) as { variant: string; ttft_ms: unknown }[]
    const all = [own, other].toSorted((a, b) => (a?.variant ?? "").localeCompare(b?.variant ?? ""))
    expect(all.map((row) => row?.variant)).toEqual(["s-slots-1-batch-256", "s-slots-2-batch-256"])
    expect(all[0]?.ttft_ms).toEqual(before?.ttft_ms)
    const third = await bench([])
    expect([third.out, third.err.match(/was measured by an earlier call/g)]).toEqual([
      second.out,
      Array(2).fill(expect.any(String)),
    ])
    expect((await bench([], "ttft<401ms")).err).not.toContain("earlier call")
  }, 60_000)
})
