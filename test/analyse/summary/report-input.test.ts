import { expect, it } from "vitest"
import { reportInput } from "../../../src/analyse/summary/report-input.ts"
import { scored } from "../../../src/core/metric/metric.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeGeneration } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const many = 250
const ids = Array.from({ length: many }, (_, i) => `s${(i * 7) % many}`)
const record = {
  id: "r",
  repeats: 2,
  dataset: { fingerprint: "f" },
  variants: [{ name: "b" }, { name: "a" }],
} as unknown as RunRecord

/** A run of two repeats whose samples have ids in another order than the data set. */
function storeOf() {
  const store = openRunStore(scratchDirectory())
  store.saveSamples(
    "f",
    ids.map((id) => fakeSample(id)),
    0,
  )
  ids.forEach((sampleId, i) => {
    for (const variant of ["a", "b"])
      for (const repeat of [1, 0]) {
        if (sampleId === "s3" && variant === "a") continue
        const location = { variant, sampleId, repeat, segment: 0, position: 2 * i + repeat }
        const text = `${variant} ${sampleId} ${repeat}`
        store.saveGeneration("r", fakeGeneration(text, location))
        const value = repeat + (variant === "a" ? 0.25 : 0.5)
        store.saveRows("r", [{ variant, sampleId, repeat, metric: "m", measured: scored(value), value }])
      }
  })
  store.saveReport("r", { metrics: [{ name: "m" }], sections: [] } as unknown as RunReport)
  return store
}

it("gives each sample its own answers with their values, in the order of variants and repeats, however many there are", async () => {
  const store = storeOf()
  const seen: [string, [string, number | null | undefined][]][] = []
  for await (const { sample, answers } of reportInput(store, record).samples())
    seen.push([sample.id, answers.map(({ generation, values }) => [generation.text, values.m])])
  const expected = ids.map((id) => [
    id,
    [
      [`b ${id} 0`, 0.5],
      [`b ${id} 1`, 1.5],
      ...(id === "s3"
        ? []
        : [
            [`a ${id} 0`, 0.25],
            [`a ${id} 1`, 1.25],
          ]),
    ],
  ])
  expect(seen).toEqual(expected)
  store.close()
})

it("gives only the samples that are wanted, by their positions", async () => {
  const store = storeOf()
  const seen: string[] = []
  for await (const { sample, answers } of reportInput(store, record).samples((position) => position % 100 === 7))
    seen.push(`${sample.id} ${answers[0]?.generation.sampleId}`)
  expect(seen).toEqual([7, 107, 207].map((position) => `${ids[position]} ${ids[position]}`))
  store.close()
})
