import { describe, expect, it } from "vitest"
import { boundWarningTexts } from "../../../src/words/reasons/estimate.ts"

describe("warnings of the bounds", () => {
  it("say once what follows from all of them", () => {
    expect(boundWarningTexts([])).toEqual([])
    expect(boundWarningTexts(["few_clusters"])).toEqual([
      "fewer than 20 effective clusters, so that the bounds, which hold, are wide",
    ])
    expect(boundWarningTexts(["few_clusters", "one_large_cluster"])).toEqual([
      "fewer than 20 effective clusters, and one cluster holds more than a quarter of the pairs, so that the bounds, which hold, are wide",
    ])
  })
})
