import { describe, expect, it } from "vitest"
import { command } from "../../../../src/cli/commands/trend.ts"
import { openRunStore } from "../../../../src/store/run-store.ts"
import { fakeIo } from "../../../support/fake-io.ts"
import { fakeGeneration } from "../../../support/fake-provider.ts"
import { fakeSample } from "../../../support/fake-variant.ts"
import { fakeRecord } from "../../../support/run-fixtures.ts"
import { scratchDirectory } from "../../../support/scratch.ts"

/** A run on the samples of these numbers, of which those that `isWrong` names are wrong. */
interface Run {
  readonly samples: readonly number[]
  readonly isWrong: (sample: number) => boolean
}

const numbers = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i)
const metric = {
  name: "exactMatch",
  signature: "exactMatch|v1",
  direction: "higher",
  range: [0, 1],
  unit: "share",
  primary: true,
} as const

function storeOf(runs: readonly Run[]): string {
  const directory = scratchDirectory()
  const store = openRunStore(directory)
  for (const [day, { samples: asked, isWrong }] of runs.entries()) {
    const samples = asked.map((number) => fakeSample(`s${number}`))
    const fingerprint = `f${asked[0]}to${asked.at(-1)}`
    const record = fakeRecord(`run${day}`, {
      startedAt: `2026-01-${String(day + 1).padStart(2, "0")}T00:00:00.000Z`,
      status: "finished",
      baseline: "v",
      dataset: { name: "d", source: "d.jsonl", fingerprint, samples: samples.length, skipped: [] },
      variants: [{ name: "v", model: "v", provider: "fake", quantization: null, fingerprint: "v", priceSource: null }],
      metrics: [metric],
      plan: `p${day}`,
    })
    store.createRun(record)
    store.saveSamples(fingerprint, samples, 0)
    for (const [position, number] of asked.entries()) {
      const call = { variant: "v", sampleId: `s${number}`, repeat: 0 }
      const value = isWrong(number) ? 0 : 1
      store.saveGeneration(record.id, fakeGeneration("an answer", { ...call, position }))
      store.saveRows(record.id, [{ ...call, metric: metric.name, measured: { status: "scored", row: value }, value }])
    }
  }
  store.close()
  return directory
}

/** 80 % right, and 74 %: the 18 that turned wrong of 300 are evidence, paired (p < .001), and are none, unpaired. */
const before = (sample: number) => sample % 5 === 0
const after = (sample: number) => before(sample) || (sample % 5 === 1 && sample < 90)
const look: Run = { samples: numbers(0, 4), isWrong: before }
const whole: Run = { samples: numbers(0, 300), isWrong: before }
const worse: Run = { samples: numbers(0, 300), isWrong: after }

async function trend(runs: readonly Run[], baseline?: string) {
  const directory = storeOf(runs)
  const io = fakeIo({ cwd: directory })
  const code = await command.run({ variant: "v", limit: 30, json: true, directory, baseline }, io)
  const result = JSON.parse(io.stdout())
  return {
    code,
    baseline: result.baseline,
    state: result.state,
    runs: result.points.map(({ run }: { run: string }) => run),
    alarms: result.points.flatMap(({ run, alarm }: { run: string; alarm: boolean }) => (alarm ? [run] : [])),
    sentence: result.sentence as string,
  }
}

describe("the baseline of a trend", () => {
  it("is the first run that asked what the newest asked, not a first look at four samples", async () => {
    expect(await trend([look, whole, worse])).toMatchObject({
      ...{ code: 3, baseline: "run1", state: "worse", alarms: ["run2"] },
      sentence: "Worse than the baseline: run run2.",
    })
  })
  it("is the oldest of runs that asked the same", async () => {
    expect(await trend([whole, whole, worse])).toMatchObject({ code: 3, baseline: "run0", alarms: ["run2"] })
  })
  it("is chosen by the newest whole run where the newest run is a look at a part of it", async () => {
    expect(await trend([look, whole, worse, look])).toMatchObject({ code: 3, baseline: "run1", alarms: ["run2"] })
  })
  it("is the run that shares most with the newest where the data set grew with it", async () => {
    const grown: Run = { samples: numbers(0, 320), isWrong: after }
    expect(await trend([look, whole, grown])).toMatchObject({ code: 3, baseline: "run1", alarms: ["run2"] })
  })
  it("lies outside of the newest runs that are shown where it has to", async () => {
    expect((await trend([look, whole, ...Array<Run>(31).fill(worse)])).alarms).toHaveLength(30)
  })
  it("that is named stands in the series once, and what was worse before it is no drift", async () => {
    expect(await trend([whole, whole, worse], "run0")).toMatchObject({ code: 3, runs: ["run0", "run1", "run2"] })
    expect(await trend([worse, whole, whole], "run1")).toMatchObject({
      ...{ code: 0, state: "no_drift", alarms: [], runs: ["run0", "run1", "run2"] },
      sentence: "exact match shows no change over 3 runs.",
    })
  })
})

describe("a trend that cannot tell", () => {
  it("ends in 4 where the newest run shares too few samples with the baseline for any loss to show", async () => {
    expect(await trend([whole, look])).toMatchObject({
      ...{ code: 4, state: "inconclusive", baseline: "run0" },
      sentence:
        "Whether exact match changed cannot be told: run run1 has 4 samples in common with the baseline run run0, and it takes 7 for any loss to show.",
    })
  })
  it("ends in 4 where they share none", async () => {
    const other: Run = { samples: numbers(400, 700), isWrong: before }
    expect(await trend([whole, other])).toMatchObject({ code: 4, state: "inconclusive" })
  })
  it("ends in 4 for a single run", async () => {
    expect(await trend([whole])).toMatchObject({ code: 4, state: "inconclusive" })
  })
  it("does not let a look between whole runs hide that nothing changed, and names it", async () => {
    expect(await trend([whole, look, whole])).toMatchObject({
      ...{ code: 0, state: "no_drift" },
      sentence: "exact match shows no change over 2 runs; of 1 more it cannot be told.",
    })
  })
})
