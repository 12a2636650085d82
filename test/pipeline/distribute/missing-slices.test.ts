import { expect, it } from "vitest"
import { missingSlices, wantedSamples } from "../../../src/pipeline/distribute/missing-slices.ts"
import { cutSlices } from "../../../src/pipeline/distribute/slices.ts"
import { planRun } from "../../../src/run/plan.ts"
import type { RunStage } from "../../../src/run/run-stage.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

const variants = ["a", "b"].map((name) =>
  fakeVariant(
    name,
    fakeProvider("m", () => fakeAnswer("yes")),
  ),
)
const sampleIds = Array.from({ length: 10 }, (_, i) => `s${i}`)
const plan = planRun({ variants, sampleIds, datasetFingerprint: "f", repeats: 1, seed: 5, concurrency: 4 })
const slices = cutSlices({ variants, repeats: 1, order: plan.order, samples: 4 })

/** A run in which each variant has answered so many samples of the order, and each answer has so many rows. */
function missing(answered: Record<string, number>, limits?: Record<string, number>, rows?: number) {
  const finished = Object.entries(answered).flatMap(([variant, count]) =>
    plan.order.slice(0, count).map((sampleId) => ({ variant, sampleId, repeat: 0, outcome: "ok" })),
  )
  const counts = new Map<string, number>()
  for (const { sampleId } of finished) counts.set(sampleId, (counts.get(sampleId) ?? 0) + (rows ?? 0))
  const run = {
    store: { finished: () => finished, countRows: () => counts },
    record: { id: "r" },
    evaluation: { repeats: 1, metrics: [{}, {}] },
  } as unknown as RunStage
  const samples = wantedSamples(plan, ["a", "b"], limits && (({ variant, order }) => order < (limits[variant] ?? 0)))
  return missingSlices(run, plan, slices, samples, rows !== undefined)
}

it("are those in which an answer is missing", () => {
  expect(missing({})).toEqual([0, 1, 2])
  expect(missing({ a: 10, b: 8 })).toEqual([2])
  expect(missing({ a: 10, b: 10 })).toEqual([])
})

it("end where a look ends, and leave a variant out that is settled", () => {
  expect(missing({ a: 3, b: 3 }, { a: 5, b: 5 })).toEqual([0, 1])
  expect(missing({ a: 5, b: 5 }, { a: 5, b: 5 })).toEqual([])
  expect(missing({ a: 5, b: 5 }, { a: 10, b: 0 })).toEqual([1, 2])
})

it("are not hidden by answers beyond what is wanted", () => {
  const answered = plan.order.slice(2, 8).map((sampleId) => ({ variant: "a", sampleId, repeat: 0, outcome: "ok" }))
  const run = { store: { finished: () => answered }, record: { id: "r" }, evaluation: { repeats: 1, metrics: [] } }
  expect(missingSlices(run as unknown as RunStage, plan, slices, new Map([["a", 5]]))).toEqual([0])
})

it("are those without all their scores, where it is asked", () => {
  expect(missing({ a: 10, b: 10 }, undefined, 2)).toEqual([])
  expect(missing({ a: 10, b: 10 }, undefined, 1)).toEqual([0, 1, 2])
})
