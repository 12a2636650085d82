import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import {
  binOf,
  type CalibrationBin,
  equalMassBins,
  equalWidthBins,
} from "../../../src/stats/calibration/calibration-bins.ts"
import {
  debiasedExpectedGap,
  debiasedRootMeanSquareGap,
  debiasedSquareGap,
  expectedGap,
  rootMeanSquareGap,
} from "../../../src/stats/calibration/calibration-gap.ts"
import { calibrationInterval } from "../../../src/stats/calibration/calibration-interval.ts"
import { marginalGap } from "../../../src/stats/calibration/classwise-gap.ts"
import { sized } from "../../support/nightly.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

type Figures = Record<string, number> & { readonly bin_edges: number[]; readonly bin_counts: number[] }
interface Inputs {
  readonly p?: number[]
  readonly y?: number[]
  readonly probs?: number[][]
  readonly labels?: number[]
}
const records = readGolden<Inputs, Record<string, unknown>>("calibration_debiased")
const binary = records.filter(({ inputs }) => inputs.p)
const classes = records.filter(({ inputs }) => inputs.probs)

/** n·T − (n − 1)·mean of T without each answer, the edges kept: by its definition. */
function jackknife(p: number[], y: number[], edges: number[]): number {
  const n = p.length
  const gapWithout = (left: number) => {
    const gaps = new Float64Array(edges.length)
    for (let i = 0; i < n; i++)
      if (i !== left) gaps[binOf(p[i] as number, edges)]! += (p[i] as number) - (y[i] as number)
    return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / (left < 0 ? n : n - 1)
  }
  const mean = p.reduce((sum, _, i) => sum + gapWithout(i), 0) / n
  return n * gapWithout(-1) - (n - 1) * mean
}

function check(bins: readonly CalibrationBin[], expected: Figures, p: number[], y: number[]): void {
  const counts = expected.bin_counts.filter((count) => count > 0)
  expect(bins.map(({ n }) => n)).toEqual(counts)
  const edges = expected.bin_edges.filter((_, i) => (expected.bin_counts[i] as number) > 0)
  bins.forEach(({ high }, i) => {
    expectClose(high, edges[i] as number, 1e-12)
  })
  expectClose(expectedGap(bins), expected.l1_plugin as number, 1e-12)
  expectClose(rootMeanSquareGap(bins), expected.l2_plugin as number, 1e-12)
  expectClose(debiasedSquareGap(bins), expected.square_debiased as number, 1e-12)
  expectClose(debiasedRootMeanSquareGap(bins), expected.l2_debiased as number, 1e-12)
  const limit = expected.l1_normal_debiased_expectation
  if (typeof limit === "number") expectClose(debiasedExpectedGap(bins), limit, 1e-9)
  else {
    // The reference refuses empty bins and bins of one.
    expect(expected.bin_counts.some((count) => count < 2)).toBe(true)
    expect(Number.isFinite(debiasedExpectedGap(bins))).toBe(true)
  }
  if (expected.l1_jackknife_fixed_bins !== undefined)
    expectClose(jackknife(p, y, expected.bin_edges), expected.l1_jackknife_fixed_bins, 1e-9)
}

describe("debiased calibration errors equal verified_calibration ee81c34", () => {
  it.each(binary)("$id", ({ inputs, expected }) => {
    const p = inputs.p as number[]
    const y = inputs.y as number[]
    for (const count of [5, 10, 15]) {
      check(equalMassBins(p, y, count), expected[`equal_mass_${count}`] as Figures, p, y)
      check(equalWidthBins(p, y, count), expected[`equal_width_${count}`] as Figures, p, y)
    }
    // Its own choice of bins: by distinct value where there are fewer than n / 4 of them, else 15 of equal mass.
    const distinct = new Set(p).size
    expect(distinct < p.length / 4).toBe(expected.is_discrete)
    const chosen = equalMassBins(p, y, expected.is_discrete ? p.length : 15)
    expectClose(debiasedRootMeanSquareGap(chosen), expected.get_calibration_error_p2 as number, 1e-12)
    expectClose(rootMeanSquareGap(chosen), expected.get_calibration_error_p2_plugin as number, 1e-12)
    if (expected.get_binning_ce_p2 !== undefined)
      expectClose(debiasedRootMeanSquareGap(chosen), expected.get_binning_ce_p2 as number, 1e-12)
    expectClose(expectedGap(equalWidthBins(p, y, 15)), expected.get_ece as number, 1e-12)
    expectClose(expectedGap(equalMassBins(p, y, 15)), expected.get_ece_em as number, 1e-12)
  })
  it.each(classes)("$id", ({ inputs, expected }) => {
    const probabilities = inputs.probs as number[][]
    const labels = inputs.labels as number[]
    const top = probabilities.map((row) => Math.max(...row))
    const right = probabilities.map((row, i) => Number(row.indexOf(top[i] as number) === labels[i]))
    for (const count of [5, 10]) {
      const bins = equalMassBins(top, right, count)
      const topLabel = expected[`top-label_equal_mass_${count}`] as Figures
      expectClose(debiasedRootMeanSquareGap(bins), topLabel.l2_debiased as number, 1e-12)
      expectClose(rootMeanSquareGap(bins), topLabel.l2_plugin as number, 1e-12)
      expectClose(expectedGap(bins), topLabel.l1_plugin as number, 1e-12)
      const marginal = expected[`marginal_equal_mass_${count}`] as Figures
      const perClass = (probabilities[0] as number[]).map((_, k) => {
        const claimed = probabilities.map((row) => row[k] as number)
        return equalMassBins(
          claimed,
          labels.map((label) => Number(label === k)),
          count,
        )
      })
      const meanOf = (figure: (b: readonly CalibrationBin[]) => number) =>
        perClass.reduce((sum, b) => sum + figure(b), 0) / perClass.length
      expectClose(marginalGap(probabilities, labels, count, rootMeanSquareGap), marginal.l2_plugin as number, 1e-12)
      const debiased = marginalGap(probabilities, labels, count, debiasedRootMeanSquareGap)
      expectClose(debiased, marginal.l2_debiased as number, 1e-12)
      expectClose(meanOf(expectedGap), marginal.l1_plugin as number, 1e-12)
    }
  })
  it("reads every field of every record", () => {
    expect(unreadFields(records)).toEqual([])
  })
})

describe("calibrationInterval", () => {
  const claims: readonly [string, number, (u: number) => number][] = [
    ["even confidences, n = 100", 100, (u) => u],
    ["even confidences, n = 400", 400, (u) => u],
    ["high confidences, n = 200", 200, (u) => 1 - 0.3 * u * u],
  ]
  it.each(claims)(
    "holds 0 in 93 to 97 %% of samples of a calibrated model, to the simulation's error: %s",
    (name, n, claim) => {
      const worlds = 400
      let held = 0
      for (let world = 0; world < worlds; world++) {
        const random = createRandom(`${name}/${world}`)
        const p = Float64Array.from({ length: n }, () => claim(random.next()))
        const y = p.map((c) => Number(random.next() < c))
        const keys = Array.from(p, (_, i) => `s${i}`)
        const interval = calibrationInterval(p, y, keys, expectedGap(equalWidthBins(p, y, 10)), {
          bins: 10,
          seed: world,
        })
        held += Number(interval?.low === 0)
      }
      const error = 2 * Math.sqrt((0.05 * 0.95) / worlds)
      expect(held / worlds).toBeGreaterThan(0.95 - error)
      expect(held / worlds).toBeLessThan(0.97 + error)
    },
  )
  it("holds the error of an overconfident model, and not 0, with 1,000 answers", () => {
    let held = 0
    let zero = 0
    const worlds = sized(200, 80)
    for (let world = 0; world < worlds; world++) {
      const random = createRandom(`over/${world}`)
      const p = Float64Array.from({ length: 1000 }, () => 0.5 + 0.5 * random.next())
      const y = p.map((c) => Number(random.next() < c - 0.1))
      const keys = Array.from(p, (_, i) => `s${i}`)
      const interval = calibrationInterval(p, y, keys, expectedGap(equalWidthBins(p, y, 10)), { bins: 10, seed: 1 })
      held += Number((interval?.low ?? 1) <= 0.1 && (interval?.high ?? 0) >= 0.1)
      zero += Number(interval?.low === 0)
    }
    expect(held / worlds).toBeGreaterThan(0.9)
    expect(zero).toBe(0)
  })
  it("widens where answers repeat, and needs two units", () => {
    const random = createRandom("repeats")
    const claim = Float64Array.from({ length: 60 }, () => random.next())
    const truth = claim.map((c) => Number(random.next() < c - 0.2))
    const repeat = (list: Float64Array) => Float64Array.from({ length: 300 }, (_, i) => list[i % 60] as number)
    const [p, y] = [repeat(claim), repeat(truth)]
    const value = expectedGap(equalWidthBins(p, y, 10))
    const options = { bins: 10, seed: 1 }
    const interval = calibrationInterval(
      p,
      y,
      Array.from(p, (_, i) => `s${i}`),
      value,
      options,
    )
    const together = calibrationInterval(
      p,
      y,
      Array.from(p, (_, i) => `s${i % 60}`),
      value,
      options,
    )
    expect((together?.high ?? 0) - (together?.low ?? 0)).toBeGreaterThan((interval?.high ?? 0) - (interval?.low ?? 0))
    expect(calibrationInterval([0.5], [1], ["s"], 0.5, options)).toBeNull()
  })
})
