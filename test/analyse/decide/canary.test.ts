import { describe, expect, it } from "vitest"
import { canaryDataset, isPicked } from "../../../datasets/part/canary.ts"
import { canarySteps } from "../../../src/analyse/decide/canary.ts"
import type { Dataset } from "../../../src/core/dataset.ts"
import { createRandom } from "../../../src/core/random.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import { normalQuantile } from "../../../src/stats/distributions.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { numberMetric, scoredVariant } from "../../support/scored.ts"

const metric = numberMetric("m", { range: [0, 1] })
const half = (name: string, times: number, costUsd: number, n = 2000) =>
  scoredVariant(
    name,
    "m",
    Array.from({ length: n }, (_, i) => ({ value: i % 2, facts: { ttftMs: times, e2eMs: 2 * times, costUsd } })),
  )
const steps = (shares: readonly number[], requestsPerDay: number | null = null) =>
  canarySteps({
    ...{ baseline: half("a", 10, 0.001), candidate: half("b", 100, 0.002), metric, shares },
    ...{ margin: 0.1, alpha: 0.025, requestsPerDay },
  })

describe("a canary", () => {
  it("needs as many requests as the textbook's comparison of two means, where both sides get half", () => {
    const [step] = steps([0.5], 100)
    // G*Power 3.1 and every table: 392.4 in each group for d = 0.2, two-sided 5 %, 80 % power, normal approximation.
    expect(figureValue(step?.requestsToDetect)).toBeGreaterThanOrEqual(784)
    expect(figureValue(step?.requestsToDetect)).toBeLessThanOrEqual(787)
    expect(figureValue(step?.days)).toBeCloseTo(7.85, 1)
  })
  it("finds a loss of the margin with the power that it says", () => {
    const [step] = canarySteps({
      ...{ baseline: half("a", 10, 0), candidate: half("b", 10, 0), metric, shares: [0.1] },
      ...{ margin: 0.1, alpha: 0.05, requestsPerDay: null },
    })
    const n = figureValue(step?.requestsToDetect) ?? 0
    const random = createRandom("canary power")
    const [own, other] = [Math.round(0.9 * n), Math.round(0.1 * n)]
    const rate = (count: number, share: number) =>
      Array.from({ length: count }, () => Number(random.next() < share)).reduce((sum, bit) => sum + bit, 0) / count
    const result = Array.from({ length: 1500 }, () => {
      const [a, b] = [rate(own, 0.5), rate(other, 0.4)]
      const error = Math.sqrt((a * (1 - a)) / own + (b * (1 - b)) / other)
      return (b - a) / error < normalQuantile(0.05)
    }).filter(Boolean).length
    expect(result / 1500).toBeGreaterThan(0.76)
    expect(result / 1500).toBeLessThan(0.85)
  })
  it("mixes times and costs by the shares", () => {
    const [small, large] = steps([0.04, 0.1])
    expect([small, large].map((step) => figureValue(step?.ttftMs.p50))).toEqual([10, 10])
    expect([small, large].map((step) => figureValue(step?.ttftMs.p95))).toEqual([10, 100])
    expect(figureValue(large?.e2eMs.p95)).toBe(200)
    expect(figureValue(large?.costUsd)).toBeCloseTo(0.0011, 12)
    expect(figureValue(large?.quality)).toBeCloseTo(0.5, 12)
  })
  it("counts an answer that failed as the worst, as the verdict does", () => {
    const answers = Array.from({ length: 20 }, (_, i) => ({ value: i < 10 ? 1 : null }))
    const [step] = canarySteps({
      ...{ baseline: half("a", 1, 0, 20), candidate: scoredVariant("b", "m", answers), metric, shares: [0.5] },
      ...{ margin: 0.1, alpha: 0.05, requestsPerDay: null },
    })
    // Production has half of its answers right, the challenger ten of twenty: those that failed are wrong.
    expect(figureValue(step?.quality)).toBeCloseTo(0.5, 12)
  })
  it("is unknown, with the reason, where nothing follows", () => {
    const [step] = steps([0.1])
    expect(step?.days).toEqual({ status: "unknown", reason: "the requests of a day were not stated" })
    // Both sides score alike on every request: a paired test has nothing that scatters.
    expect(step?.requestsInShadow).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("do not scatter"),
    })
    const [few] = canarySteps({
      ...{ baseline: half("a", 1, 0, 4), candidate: half("b", 1, 0, 4), metric, shares: [0.1] },
      ...{ margin: 0.1, alpha: 0.05, requestsPerDay: 10 },
    })
    expect(few?.days).toMatchObject({ status: "unknown", reason: expect.stringContaining("fewer than 10") })
  })
})

describe("the samples of a canary", () => {
  const samples = Array.from({ length: 2000 }, (_, i) => fakeSample(`s${i}`))
  const inner: Dataset = {
    ...{ name: "traffic", source: "traffic.jsonl", skipped: () => [], fingerprint: async () => "all" },
    async *samples() {
      yield* samples
    },
  }
  const idsOf = async (dataset: Dataset) => {
    const ids: string[] = []
    for await (const { id } of dataset.samples()) ids.push(id)
    return ids
  }
  it("are the wanted share, the same for the same seed, and with a fingerprint of their own", async () => {
    const [first, same, other] = [
      canaryDataset(inner, 0.05, 1),
      canaryDataset(inner, 0.05, 1),
      canaryDataset(inner, 0.05, 2),
    ]
    const ids = await idsOf(first)
    expect(ids.length).toBeGreaterThan(70)
    expect(ids.length).toBeLessThan(130)
    expect(await idsOf(same)).toEqual(ids)
    expect(await idsOf(other)).not.toEqual(ids)
    expect(await first.fingerprint()).toBe(await same.fingerprint())
    expect(await first.fingerprint()).not.toBe(await other.fingerprint())
  })
  it("of a smaller share are among those of a larger one", () => {
    const taken = (share: number) => samples.filter(({ id }) => isPicked(id, share, 7)).map(({ id }) => id)
    const larger = new Set(taken(0.25))
    expect(taken(0.05).every((id) => larger.has(id))).toBe(true)
  })
})
