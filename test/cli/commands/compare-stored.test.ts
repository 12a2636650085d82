import { describe, expect, it } from "vitest"
import { command as trendCommand } from "../../../src/cli/commands/trend.ts"
import { command as compareCommand } from "../../../src/cli/compare/compare.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { fakeGeneration } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { fakeRecord } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const directory = scratchDirectory()
const all = Array.from({ length: 120 }, (_, i) => fakeSample(`s${i}`))

/** A store with a run of two variants for each number, of which the variant `q2` loses so many answers, on so many samples each. */
function fill(directory: string, losses: readonly number[], sizes: readonly number[] = []): void {
  const store = openRunStore(directory)
  for (const [day, lost] of losses.entries()) {
    const samples = all.slice(0, sizes[day])
    const fingerprint = `f${samples.length}`
    const variant = (name: string) => ({
      name,
      model: name,
      provider: "fake",
      quantization: null,
      fingerprint: name,
      priceSource: null,
    })
    const record = fakeRecord(`run${day}`, {
      startedAt: `2026-01-0${day + 1}T00:00:00.000Z`,
      status: "finished",
      margin: 0.02,
      baseline: "f16",
      dataset: { name: "d", source: "d.jsonl", fingerprint, samples: samples.length, skipped: [] },
      variants: [variant("f16"), variant("q2")],
      metrics: [
        {
          name: "exactMatch",
          signature: "exactMatch|v1",
          direction: "higher",
          range: [0, 1],
          unit: "share",
          primary: true,
        },
      ],
      plan: `p${day}`,
    })
    store.createRun(record)
    store.saveSamples(fingerprint, samples, 0)
    for (const name of ["f16", "q2"])
      samples.forEach(({ id }, position) => {
        const call = { variant: name, sampleId: id, position: 2 * position + Number(name === "q2") }
        const cost = { status: "known", usd: name === "q2" ? 0.001 : 0.002, parts: {} } as const
        store.saveGeneration(record.id, fakeGeneration(`answer to ${id}`, { ...call, cost }))
        const value = Number(name === "f16" || position >= lost)
        store.saveRows(record.id, [
          {
            variant: name,
            sampleId: id,
            repeat: 0,
            metric: "exactMatch",
            measured: { status: "scored", row: value },
            value,
          },
        ])
      })
  }
  store.close()
}

fill(directory, [5, 8, 60])

async function compare(a: string, b: string, args: Record<string, unknown> = {}) {
  const io = fakeIo({ cwd: directory })
  const code = await compareCommand.run({ a, b, json: true, directory, ...args }, io)
  return { code, result: JSON.parse(io.stdout()) }
}

describe("evalkit compare of the store", () => {
  it("compares two variants of the newest run, with the run's own margin", async () => {
    const { code, result } = await compare("f16", "q2")
    expect(code).toBe(3)
    expect(result).toMatchObject({ a: "f16", b: "q2", verdict: "keep" })
    expect(result.metrics.exactMatch).toMatchObject({ pairs: 120, margin: 0.02, mcnemar: { b: 60, c: 0 } })
    expect(result.performance.costUsd).toMatchObject({ status: "known", value: -0.001, n: 120 })
    expect(result.identity.warning).toContain("may be one endpoint")
    expect(result.notes).toEqual([
      "exactMatch: mean of its stored values, since the run does not know its config (name one with --config)",
    ])
  })
  it("compares one variant in two runs, and two variants of another run", async () => {
    const { result } = await compare("run0:q2", "run2:q2")
    expect([result.a, result.b]).toEqual(["q2 (run run0)", "q2 (run run2)"])
    expect(result.metrics.exactMatch.mcnemar).toMatchObject({ b: 55, c: 0 })
    expect((await compare("f16", "q2", { run: "run0" })).result.metrics.exactMatch.mcnemar).toMatchObject({
      b: 5,
      c: 0,
    })
  })
  it("warns of a run that is read before its end: to read it again at its end is a second look", async () => {
    const store = openRunStore(directory)
    store.setStatus("run2", "interrupted", null)
    store.close()
    const { result } = await compare("f16", "q2")
    expect(result.notes[0]).toMatch(/^run run2 is not complete\. A run that is decided on before its end and again/)
    const second = openRunStore(directory)
    second.setStatus("run2", "finished", null)
    second.close()
  })
  it("says that two runs of one data set used different parts of it", async () => {
    const other = scratchDirectory()
    fill(other, [5, 8], [120, 60])
    const { result } = await compare("run0:q2", "run1:q2", { directory: other })
    expect(result.metrics.exactMatch.pairs).toBe(60)
    expect(result.notes).toContain(
      "the runs used different versions or parts of the same data set (d); samples with the same id are paired",
    )
  })
  it("says what there is to choose from", async () => {
    await expect(compare("f16", "nope")).rejects.toThrow(
      /there is no such variant, run or file: nope; run run\d has the variants f16, q2/,
    )
    await expect(compare("run0", "run1")).rejects.toThrow(
      /name a variant of the run: run run0; write run0:NAME with one of: f16, q2/,
    )
    await expect(compare("run0:x", "run1:q2")).rejects.toThrow(/the run has no variant "x"/)
  })
})

describe("evalkit trend", () => {
  const trend = async (args: Record<string, unknown>) => {
    const io = fakeIo({ cwd: directory })
    const code = await trendCommand.run({ limit: 30, json: false, directory, ...args }, io)
    return { code, printed: io.stdout() }
  }
  it("shows a variant over its runs and raises the alarm for a drift", async () => {
    const { code, printed } = await trend({ variant: "q2" })
    expect(code).toBe(3)
    expect(printed).toContain("Worse than the baseline: run run2.")
    expect(printed).toMatch(/run2\s+2026-01-0\d \d\d:\d\d \S+\s+50\s+−45.8 points\s+between .* p < 0.001\s+worse/)
  })
  it("ends quietly when nothing changed", async () => {
    const { code, printed } = await trend({ variant: "f16", json: true })
    expect(code).toBe(0)
    expect(JSON.parse(printed).points).toHaveLength(3)
    await expect(trend({ variant: "zzz" })).rejects.toThrow(/no run has a variant "zzz"/)
  })
})
