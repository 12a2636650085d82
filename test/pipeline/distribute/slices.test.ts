import fc from "fast-check"
import { expect, it } from "vitest"
import { cutSlices, samplesOfSlice } from "../../../src/pipeline/distribute/slices.ts"
import { plannedCalls, planRun } from "../../../src/run/plan.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

const variantsAt = (endpoints: readonly string[]) =>
  endpoints.map((endpoint, i) => fakeVariant(`v${i}`, { ...fakeProvider("m", () => fakeAnswer("yes")), endpoint }))

it("gives every call of the plan once, with the plan's own position", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("x", "y"), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 12 }),
      (endpoints, count, repeats, samples) => {
        const variants = variantsAt(endpoints)
        const sampleIds = Array.from({ length: count }, (_, i) => `s${i}`)
        const plan = planRun({ variants, sampleIds, datasetFingerprint: "f", repeats, seed: 5, concurrency: 4 })
        const slices = cutSlices({ variants, repeats, order: plan.order, samples })
        const calls = Array.from({ length: slices.count }, (_, slice) =>
          slices.lanes(slice).flatMap((lane) => lane.flatMap((part) => part.calls)),
        ).flat()
        const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position
        expect(calls.sort(byPosition)).toEqual([...plannedCalls(plan)].sort(byPosition))
      },
    ),
  )
})

it("lets all variants answer the same few samples, and rotates who begins", () => {
  const variants = variantsAt(["x", "x", "y"])
  const order = ["e", "d", "c", "b", "a"]
  const slices = cutSlices({ variants, repeats: 1, order, samples: 2 })
  expect(slices.count).toBe(3)
  expect(slices.sampleIds(2)).toEqual(["a"])
  const namesOf = (slice: number) => slices.lanes(slice).map((lane) => lane.map(({ variant }) => variant))
  expect(namesOf(0)).toEqual([["v0", "v1"], ["v2"]])
  expect(namesOf(1)).toEqual([["v1", "v0"], ["v2"]])
  expect(slices.lanes(1)[0]?.[0]?.calls.map(({ sampleId }) => sampleId)).toEqual(["c", "b"])
})

it("cuts slices of about 32 answers, and never of none", () => {
  expect(samplesOfSlice(3, 1)).toBe(11)
  expect(samplesOfSlice(2, 2)).toBe(8)
  expect(samplesOfSlice(100, 1)).toBe(1)
})
