import { describe, expect, it } from "vitest"
import { command as compareCommand } from "../../../src/cli/compare/compare.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import { createRandom } from "../../../src/core/random.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { fakeGeneration } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { fakeRecord } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const directory = scratchDirectory()
const random = createRandom("items")
/** Questions in random order; hard ones are those that the second variant loses. */
const items = Array.from({ length: 900 }, (_, i) => ({ text: `What is ${i} and ${i}?`, ability: random.next() }))
const asked = 150

function fill(): void {
  const store = openRunStore(directory)
  const save = (
    id: string,
    day: number,
    data: string,
    samples: readonly { readonly id: string; readonly text: string; readonly ability: number }[],
    { signature = "quality|v1", config = {} }: { readonly signature?: string; readonly config?: JsonObject } = {},
  ) => {
    const variants = ["a", "b"].map((name) => ({
      name,
      model: name,
      provider: "fake",
      quantization: null,
      fingerprint: name,
      priceSource: null,
    }))
    const record = fakeRecord(id, {
      startedAt: `2026-01-0${day}T00:00:00.000Z`,
      status: "finished",
      margin: 0.1,
      config,
      dataset: { name: data, source: data, fingerprint: data, samples: samples.length, skipped: [] },
      variants,
      metrics: [{ name: "quality", signature, direction: "higher", range: [0, 1], unit: "share", primary: true }],
      plan: id,
    })
    store.createRun(record)
    store.saveSamples(
      data,
      samples.map((sample) => ({ ...fakeSample(sample.id), input: sample.text, references: ["a number"] })),
      0,
    )
    const noise = createRandom(id)
    store.atomically(() => {
      for (const variant of ["a", "b"])
        samples.forEach((sample, position) => {
          const call = { variant, sampleId: sample.id, position: 2 * position + Number(variant === "b") }
          const cost = { status: "known", usd: 0.001, parts: {} } as const
          store.saveGeneration(id, fakeGeneration(`${variant} of ${sample.id}`, { ...call, cost }))
          const lost = variant === "b" ? 0.4 * (1 - sample.ability) ** 2 : 0
          const value = Math.min(1, Math.max(0, 0.4 + 0.5 * sample.ability - lost + 0.03 * noise.normal()))
          const measured = { status: "scored" as const, row: value }
          store.saveRows(id, [{ variant, sampleId: sample.id, repeat: 0, metric: "quality", measured, value }])
        })
    })
  }
  save(
    "large",
    1,
    "all",
    items.map((item, i) => ({ ...item, id: `old${i}` })),
  )
  save(
    "other",
    2,
    "elsewhere",
    items.map((item, i) => ({ ...item, id: `new${i}`, text: `Not ${item.text}` })),
  )
  save(
    "changed",
    3,
    "all-again",
    items.map((item, i) => ({ ...item, id: `old${i}` })),
    { signature: "quality|v2" },
  )
  save(
    "small",
    4,
    "part",
    items.slice(0, asked).map((item, i) => ({ ...item, id: `new${i}` })),
  )
  save(
    "same",
    3,
    "part",
    items.slice(0, asked).map((item, i) => ({ ...item, id: `new${i}` })),
  )
  save(
    "configured",
    5,
    "part",
    items.slice(0, asked).map((item, i) => ({ ...item, id: `new${i}` })),
    { config: { difficultyFrom: ["large"] } },
  )
  store.close()
}

fill()

async function compare(args: Record<string, unknown> = {}) {
  const io = fakeIo({ cwd: directory })
  await compareCommand.run({ a: "a", b: "b", run: "small", json: true, directory, ...args }, io)
  return JSON.parse(io.stdout()).metrics.quality
}

describe("evalkit compare --difficulty-from", () => {
  it("uses nothing unless it is asked to", async () => {
    expect(await compare()).not.toHaveProperty("covariate")
  })
  it("narrows the difference by what a larger earlier run knows, by content and never by id", async () => {
    const [plain, adjusted] = [await compare(), await compare({ difficultyFrom: ["large"] })]
    expect(adjusted.covariate).toMatchObject({ runs: ["large"], matched: asked, others: items.length - asked })
    expect(adjusted.covariate.variance_ratio).toBeLessThan(0.5)
    expect(adjusted.covariate.plain_difference).toBe(plain.difference)
    expect(adjusted.high - adjusted.low).toBeLessThan(0.9 * (plain.high - plain.low))
    expect(adjusted.p).toBe(plain.p)
    const every = items.reduce((sum, { ability }) => sum - (0.4 * (1 - ability) ** 2) / items.length, 0)
    expect(Math.abs(adjusted.difference - every)).toBeLessThan(Math.abs(plain.difference - every))
    expect(adjusted.sentence).toMatch(
      /How hard run large found these and 750 other items leaves \d+(\.\d)? % of the variance, as \d+ more samples would; without it −/,
    )
  })
  it("uses what the run's own config named", async () => {
    expect((await compare({ run: "configured" })).covariate).toMatchObject({ runs: ["large"], matched: asked })
  })
  it("says why it uses nothing: other questions under the same ids, no further items, another signature", async () => {
    const reasonOf = async (run: string) => (await compare({ difficultyFrom: [run] })).covariate.reason
    expect(await reasonOf("other")).toBe("0 of these items were asked before, at least 40 are needed")
    expect(await reasonOf("same")).toContain("an item that both sides answered is its own control")
    expect(await reasonOf("changed")).toBe("no named run has this metric with the same signature")
    expect((await compare({ difficultyFrom: ["same"] })).difference).toBe((await compare()).difference)
  })
  it("refuses the run itself, runs that came later, and runs that are not there", async () => {
    await expect(compare({ difficultyFrom: ["small"] })).rejects.toThrow(/a run cannot say how hard its own items are/)
    await expect(compare({ run: "large", difficultyFrom: ["small"] })).rejects.toThrow(/was not made before/)
    await expect(compare({ difficultyFrom: ["nope"] })).rejects.toThrow(/there is no such run: nope/)
  })
})
