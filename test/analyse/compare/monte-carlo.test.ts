import { describe, expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import { numberMetric, scoredVariant } from "../../support/scored.ts"

/** The same figure as a mean, computed from sums: as corpus metrics are. */
const corpus: AnyMetric = {
  ...numberMetric("score", { range: [0, 1] }),
  aggregation: {
    kind: "sum",
    size: 2,
    vector(row, into, offset) {
      into[offset] = row as number
      into[offset + 1] = 1
    },
    score: (sum) => (sum[0] as number) / (sum[1] as number),
  },
}

function shifted(metric: AnyMetric, shift: number) {
  const random = createRandom("monte carlo")
  const rows = Array.from({ length: 60 }, () => ({ a: 0.3 + 0.4 * random.next(), d: 0.1 * random.normal() }))
  const centre = rows.reduce((sum, { d }) => sum + d / 60, 0)
  const side = (name: string, value: (row: (typeof rows)[number]) => number) =>
    scoredVariant(
      name,
      "score",
      rows.map((row) => ({ value: value(row) })),
    )
  const { metrics } = compareVariants({
    baseline: side("a", ({ a }) => a),
    candidate: side("b", ({ a, d }) => a + d - centre + shift),
    metrics: [metric],
    primary: ["score"],
    margin: 0.01,
    alpha: 0.05,
    seed: 1,
  })
  return metrics[0]
}

describe("a p-value from random draws", () => {
  it("has its own error, from 1,000 draws over a corpus and 10,000 over samples where it is far from alpha", () => {
    const far = shifted(corpus, 0.005)
    expect(far?.p).toBeGreaterThan(0.4)
    expect(far?.pError).toBeCloseTo(Math.sqrt(((far?.p as number) * (1 - (far?.p as number))) / 1000), 12)
    expect(far?.method).toMatch(/approximate randomisation of 1000 over 60 samples, p ± 0.01\d$/)
    expect(shifted(numberMetric("score", { range: [0, 1] }), 0.005)?.method).toContain("sign-flip p from 10000 draws")
  })
  it("gets more draws where it lies near alpha, and a caution where they do not tell", () => {
    // Shifts are searched for p within a thousandth of alpha, by bisection on a monotone p.
    let [low, high] = [0.005, 0.08]
    for (let step = 0; step < 14; step++) {
      const middle = (low + high) / 2
      if ((shifted(corpus, middle)?.p as number) > 0.05) low = middle
      else high = middle
    }
    const near = shifted(corpus, low)
    expect(near?.p).toBeCloseTo(0.05, 2)
    expect(near?.method).toMatch(/approximate randomisation of (10000|100000) over/)
    expect(near?.warnings).toContain("p lies so near alpha that another seed could move it across")
    expect(near?.sentence).toContain("Caution: p lies so near alpha")
  })
})
