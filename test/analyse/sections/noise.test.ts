import { describe, expect, it } from "vitest"
import { noiseFloor } from "../../../src/analyse/sections/noise/noise-floor.ts"
import { relabelling } from "../../../src/analyse/sections/noise/relabel.ts"
import type { AnswerFacts } from "../../../src/core/metric/scored-variant.ts"
import { createRandom } from "../../../src/core/random.ts"
import { sized } from "../../support/nightly.ts"
import { numberMetric, scoredVariant } from "../../support/scored.ts"

const metric = numberMetric("right", { range: [0, 1] })
const evaluation = {
  metrics: [metric],
  primary: ["right"],
  margin: 0.1,
  marginKind: "unit",
  alpha: 0.05,
  seed: 1,
  missing: "worst",
  smallestGain: 0.05,
} as const

/** Two sets of answers of one model that is right in 80 % and takes 100 ms, in turns of ten. */
function asked(n: number, seed: string, facts: Partial<AnswerFacts> = {}) {
  const random = createRandom(seed)
  const side = (name: string, shift: number) =>
    scoredVariant(
      name,
      "right",
      Array.from({ length: n }, (_, i) => ({
        value: Number(random.next() < 0.8),
        facts: {
          e2eMs: 100 * Math.exp(0.1 * random.normal()),
          segment: 0,
          sentMs: (2 * Math.floor(i / 10) + shift) * 1000 + i,
          ...facts,
        },
      })),
    )
  return { baseline: side("now", 0), copy: side("now again", 1) }
}

describe("the noise floor of a variant", () => {
  it("is near what the same draws would differ by anew", () => {
    const n = 200
    const floor = noiseFloor({ ...asked(n, "floor"), evaluation, timeErrorMs: 0 })
    // 1.96 standard errors of a difference of two independent shares of .8, and of two means of a log-normal spread of .1.
    expect(floor?.quality).toBeGreaterThan(0.7 * 1.96 * Math.sqrt((2 * 0.16) / n))
    expect(floor?.quality).toBeLessThan(1.3 * 1.96 * Math.sqrt((2 * 0.16) / n))
    expect(floor?.changes.e2eMs).toBeGreaterThan(0.6 * 1.96 * 0.1 * Math.sqrt(2 / n))
    expect(floor?.changes.e2eMs).toBeLessThan(1.5 * 1.96 * 0.1 * Math.sqrt(2 / n))
    expect(floor).toMatchObject({ pairs: n, draws: 200 })
  })

  it("counts the swaps that the rule would grant: hardly any with a wide margin, where nothing is gained", () => {
    const worlds = Array.from({ length: sized(4, 1) }, (_, i) => asked(100, `swaps ${i}`))
    const wide = { ...evaluation, margin: 0.3 }
    const swaps = worlds.map((world) => noiseFloor({ ...world, evaluation: wide, timeErrorMs: 0 })?.swaps ?? 0)
    expect(swaps.reduce((sum, swap) => sum + swap, 0) / (worlds.length * 200)).toBeLessThan(0.05)
    // A rule that takes every proven gain for a reason, however small, and looks at a thousandth of a millisecond.
    const eager = { ...wide, smallestGain: 0, alpha: 0.5 }
    expect(
      noiseFloor({ ...(worlds[0] as (typeof worlds)[0]), evaluation: eager, timeErrorMs: 0 })?.gains,
    ).toBeGreaterThan(20)
  })

  it("is not known of answers that were not both asked, and of few", () => {
    expect(noiseFloor({ ...asked(200, "cache", { source: "replayed" }), evaluation, timeErrorMs: 0 })).toBeNull()
    expect(noiseFloor({ ...asked(19, "few"), evaluation, timeErrorMs: 0 })).toBeNull()
  })

  it("keeps every answer, the scores of a sample together and the times of a turn together", () => {
    const { baseline, copy } = asked(40, "relabel")
    const [left, right] = relabelling(baseline, copy)(createRandom("draw"))
    const times = [baseline, copy, left, right].map(
      ({ answers }) => new Map(answers.map(({ sampleId, e2eMs }) => [sampleId, e2eMs])),
    )
    const sides = Array.from({ length: 40 }, (_, i) => {
      const [first, second, drawn, rest] = times.map((side) => side.get(`s${i}`))
      expect(new Set([drawn, rest])).toEqual(new Set([first, second]))
      return drawn === first
    })
    for (let turn = 0; turn < 4; turn++) expect(new Set(sides.slice(10 * turn, 10 * turn + 10)).size).toBe(1)
    expect(new Set(sides).size).toBe(2)
    expect(left.rows.get("right")).toHaveLength(40)
  })
})
