import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { letterCase } from "../../datasets/perturb/letter-case.ts"
import { perturbed } from "../../datasets/perturb/perturbed.ts"
import type { Sample } from "../../src/core/sample.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { decodeSample } from "../../src/store/sample-codec.ts"
import { fakeSample } from "../support/fake-variant.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A sample as stores and archives held it before there was a field. */
const older = (id: string, metadata: Sample["metadata"]) => fakeSample(id, { cluster: "q1", metadata })
const read = (sample: Sample) => decodeSample(JSON.stringify(sample)).copyOf

describe("decodeSample", () => {
  it("finds the original of a copy that an older version stored", () => {
    expect(read(older("q1~perturbed:typos", { perturbation: "typos" }))).toEqual({
      id: "q1",
      kind: "perturbed",
      change: "typos",
    })
    const counterfactual = { attribute: "gender", from: "women", to: "men" }
    expect(read(older("q1~counterfactual:gender", { counterfactual }))).toEqual({
      id: "q1",
      kind: "counterfactual",
      change: "gender",
    })
  })

  it("takes the last change of a copy of a copy", () => {
    const metadata = { perturbation: "typos", counterfactual: { attribute: "gender" } }
    expect(read(older("q1~perturbed:typos~counterfactual:gender", metadata))?.id).toBe("q1~perturbed:typos")
    expect(read(older("q1~counterfactual:gender~perturbed:typos", metadata))?.id).toBe("q1~counterfactual:gender")
  })

  it("leaves samples alone that only have such an id, or only such a field", () => {
    expect(read(older("q1~perturbed:typos", {}))).toBeUndefined()
    expect(read(older("q1", { perturbation: "typos" }))).toBeUndefined()
    expect(read(fakeSample("q1~perturbed:typos", { metadata: { perturbation: "typos" } }))).toBeUndefined()
  })

  it("agrees with what the data set writes today", async () => {
    const store = openRunStore(scratchDirectory())
    const samples: Sample[] = []
    const rows = inline([{ id: "q1", input: "Who?", reference: "Anna" }])
    for await (const sample of perturbed(rows, { perturbations: [letterCase({ to: "upper" })] }).samples())
      samples.push(sample)
    store.saveSamples("today", samples, 0)
    store.saveSamples(
      "before",
      samples.map(({ copyOf: _, ...sample }) => sample),
      0,
    )
    expect([...store.samples("today")]).toEqual(samples)
    expect([...store.samples("before")]).toEqual(samples)
    expect(store.sample("before", "q1~perturbed:case-upper")?.copyOf?.id).toBe("q1")
    store.close()
  })
})
