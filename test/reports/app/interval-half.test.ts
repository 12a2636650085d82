import { expect, it } from "vitest"
import { intervalHalf } from "../../../reports/app/interval-half.ts"
import { normalQuantile } from "../../../src/stats/distributions.ts"

it("is the normal quantile of the library, for every level that a run may have", () => {
  for (const alpha of [0.0001, 0.001, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 0.9])
    expect(intervalHalf(alpha)).toBeCloseTo(normalQuantile(1 - alpha / 2), 10)
})
