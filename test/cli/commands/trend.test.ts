import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/commands/trend.ts"
import { createRandom } from "../../../src/core/random.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { fakeGeneration } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { fakeRecord } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const samples = Array.from({ length: 250 }, (_, i) => fakeSample(`s${i}`))
const metric = {
  name: "exactMatch",
  signature: "exactMatch|v1",
  direction: "higher",
  range: [0, 1],
  unit: "share",
} as const

/** A store of ten runs of items that go right at 80 %; from the sixth on `lost` of them fail, and each answer costs `dearer` times as much. */
function storeOf(seed: string, lost: number, dearer: number): string {
  const directory = scratchDirectory()
  const store = openRunStore(directory)
  const random = createRandom(seed)
  const shares = samples.map(() => (random.next() < 0.6 ? 0.95 : 0.575))
  for (let run = 0; run < 10; run++) {
    const isLate = run >= 5
    const record = fakeRecord(`run${run}`, {
      startedAt: `2026-01-${String(run + 1).padStart(2, "0")}T00:00:00.000Z`,
      status: "finished",
      baseline: "v",
      dataset: { name: "d", source: "d.jsonl", fingerprint: "f", samples: samples.length, skipped: [] },
      variants: [{ name: "v", model: "v", provider: "fake", quantization: null, fingerprint: "v", priceSource: null }],
      metrics: [{ ...metric, primary: true }],
      plan: `p${run}`,
    })
    store.createRun(record)
    store.saveSamples("f", samples, 0)
    samples.forEach(({ id }, position) => {
      const usd = 0.001 * (isLate ? dearer : 1) * (1 + 0.05 * random.normal())
      const value = Number(random.next() < (shares[position] as number) - (isLate ? lost : 0))
      const facts = { variant: "v", sampleId: id, repeat: 0 }
      const cost = { status: "known", usd, parts: {} } as const
      store.saveGeneration(record.id, fakeGeneration("an answer", { ...facts, position, cost }))
      store.saveRows(record.id, [{ ...facts, metric: metric.name, measured: { status: "scored", row: value }, value }])
    })
  }
  store.close()
  return directory
}

async function trend(directory: string) {
  const io = fakeIo({ cwd: directory })
  const code = await command.run({ variant: "v", limit: 30, json: true, directory }, io)
  return { code, result: JSON.parse(io.stdout()) }
}

describe("evalkit trend", () => {
  it("ends in 3 for a change of 8 points that no run shows against the first one alone", async () => {
    const { code, result } = await trend(storeOf("quiet/0", 0.08, 1))
    expect(result.points.some(({ alarm }: { alarm: boolean }) => alarm)).toBe(false)
    expect(code).toBe(3)
    expect(result.sentence).toContain("run5")
  })
  it("ends in 3 for a cost that rose while quality did not change, and in 0 where nothing did", async () => {
    expect((await trend(storeOf("dearer", 0, 1.5))).code).toBe(3)
    expect((await trend(storeOf("same", 0, 1))).code).toBe(0)
  })
  it("prints the metric in words with its unit, and when each run began with the zone of the clock", async () => {
    const directory = storeOf("same", 0, 1)
    const io = { ...fakeIo({ cwd: directory }), environment: { TZ: "Asia/Tokyo" } }
    expect(await command.run({ variant: "v", limit: 30, json: false, directory }, io)).toBe(0)
    expect(io.stdout()).toMatch(/^exact match shows no change over 10 runs\./)
    expect(io.stdout()).toMatch(/run +started +exact match % +since baseline/)
    expect(io.stdout()).toMatch(/run0 +2026-01-01 09:00 GMT\+9 +8\d/)
  })
})
