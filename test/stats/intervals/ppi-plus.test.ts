import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { ppiPlus, ppiPlusBounds } from "../../../src/stats/intervals/ppi-plus.ts"
import { predictionPoweredMean } from "../../../src/stats/intervals/prediction-powered.ts"
import { studentInterval } from "../../../src/stats/intervals/student-interval.ts"
import { mean, variance } from "../../../src/stats/mean.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

type Pair = [number, number]
interface Inputs {
  readonly Y?: number[]
  readonly Yhat?: number[]
  readonly Yhat_unlabeled?: number[]
  readonly Ya?: number[]
  readonly Yb?: number[]
  readonly Yhat_a?: number[]
  readonly Yhat_b?: number[]
  readonly Yhat_unlabeled_a?: number[]
  readonly Yhat_unlabeled_b?: number[]
  readonly w?: number[]
  readonly w_unlabeled?: number[]
}
interface Expected {
  readonly lam_raw: number
  readonly lam: number
  readonly point: Record<string, number>
  readonly ci: Record<string, Pair>
  readonly ci_tuned_as_reference: Record<string, Pair>
  readonly ci_tuned_alternative_applied?: Record<string, Pair>
  readonly degenerate?: boolean
}
const all = readGolden<Inputs, Expected>("ppi_plus")
const records = all.filter(({ id }) => !id.includes("power"))
const sides = { "two-sided": "two", larger: "lower", smaller: "upper" } as const
type Alternative = keyof typeof sides

function dataOf({ Y, Yhat, Yhat_unlabeled, w, w_unlabeled, ...pairs }: Inputs) {
  const less = (a: number[] | undefined, b: number[] | undefined) =>
    (a ?? []).map((x, i) => x - ((b as number[])[i] as number))
  return {
    human: Y ?? less(pairs.Ya, pairs.Yb),
    judge: Yhat ?? less(pairs.Yhat_a, pairs.Yhat_b),
    judgeOnly: Yhat_unlabeled ?? less(pairs.Yhat_unlabeled_a, pairs.Yhat_unlabeled_b),
    weights: w,
    judgeOnlyWeights: w_unlabeled,
  }
}

describe("ppiPlus equals ppi_py bd90caa", () => {
  it.each(records)("$id", ({ inputs, expected }) => {
    const data = dataOf(inputs)
    const fitOf = (lambda: string) => ppiPlus(data, lambda === "None" ? undefined : Number(lambda))
    const tuned = fitOf("None")
    const degenerate = expected.degenerate === true
    if (degenerate) {
      // The reference gives 0 / 0; a judge that never varies is not believed, and labels alone remain.
      expect([expected.lam_raw, expected.lam]).toEqual([Number.NaN, Number.NaN])
      expect(tuned.lambda).toBe(0)
      expect(tuned.value).toBe(fitOf("0").value)
    } else {
      expectClose(tuned.lambdaRaw, expected.lam_raw)
      expectClose(tuned.lambda, expected.lam)
    }
    for (const [lambda, value] of Object.entries(expected.point))
      if (!Number.isNaN(value)) expectClose(fitOf(lambda).value, value)
    const check = (key: string, [low, high]: Pair) => {
      const [lambda, alpha, alternative] = key.split("|") as [string, string, Alternative]
      const side = sides[alternative]
      if (Number.isNaN(low)) return expect(degenerate).toBe(true)
      const bounds = ppiPlusBounds(fitOf(lambda), { alpha: Number(alpha), side, quantile: "normal" })
      expectClose(bounds.low, low)
      expectClose(bounds.high, high)
    }
    for (const [key, pair] of Object.entries(expected.ci)) check(key, pair)
    for (const [key, pair] of Object.entries(expected.ci_tuned_alternative_applied ?? {})) check(key, pair)
    // The reference drops the alternative of a tuned fit and gives the two-sided interval: not followed.
    for (const [key, pair] of Object.entries(expected.ci_tuned_as_reference)) {
      const [lambda, alpha] = key.split("|") as [string, string]
      check(`${lambda}|${alpha}|two-sided`, pair)
    }
  })
  it("reads every field of every record but those of its budget planner and its p", () => {
    expect(unreadFields(records, /^(null|p$|p\.)/)).toEqual([])
  })
})

/** Paired differences of two variants as people see them, and as a judge with correlation r does. */
function paired(random: Random, n: number, r: number): { human: number[]; judge: number[] } {
  const human = Array.from({ length: n }, () => 0.05 + 0.4 * random.normal())
  return { human, judge: human.map((h) => r * h + Math.sqrt(1 - r * r) * 0.4 * random.normal()) }
}

describe("ppiPlus on paired differences, three judged rows a label", () => {
  const widthsAndCover = (r: number, labels: number, worlds: number) => {
    let powered = 0
    let alone = 0
    let held = 0
    for (let world = 0; world < worlds; world++) {
      const random = createRandom(`ppi/${r}/${labels}/${world}`)
      const { human, judge } = paired(random, labels, r)
      const { judge: judgeOnly } = paired(random, 3 * labels, r)
      const bounds = ppiPlusBounds(ppiPlus({ human, judge, judgeOnly }))
      const labelsOnly = ppiPlusBounds(ppiPlus({ human, judge, judgeOnly: [] }))
      powered += bounds.high - bounds.low
      alone += labelsOnly.high - labelsOnly.low
      held += Number(bounds.low <= 0.05 && bounds.high >= 0.05)
    }
    return { ratio: powered / alone, held: held / worlds }
  }
  it("is at most 0.82 as wide as labels alone with a judge of r = .7, and holds the truth", () => {
    for (const labels of [50, 100, 200]) {
      const { ratio, held } = widthsAndCover(0.7, labels, 600)
      expect(ratio).toBeLessThanOrEqual(0.82)
      expect(held).toBeGreaterThan(0.93)
    }
  })
  it("is never above 1.02 of it with a useless judge, and holds the truth", () => {
    for (const labels of [20, 50, 200]) {
      const { ratio, held } = widthsAndCover(0, labels, 600)
      expect(ratio).toBeLessThanOrEqual(1.02)
      expect(held).toBeGreaterThan(0.92)
    }
  })
  it("is never above 1.04 of it with a judge that guesses right and wrong, from 20 labels on", () => {
    for (const n of [20, 50]) {
      let [powered, alone, held] = [0, 0, 0]
      const worlds = 500
      for (let world = 0; world < worlds; world++) {
        const random = createRandom(`guess/${n}/${world}`)
        const items = Array.from({ length: 4 * n }, (_, i) => ({
          judge: Number(random.next() < 0.9),
          human: i < n ? Number(random.next() < 0.7) : null,
        }))
        const result = predictionPoweredMean(items)
        const labels = items.flatMap(({ human }) => (human === null ? [] : [human]))
        const plain = studentInterval(mean(labels), Math.sqrt(variance(labels) / n), n - 1)
        powered += (result?.high as number) - (result?.low as number)
        alone += plain.high - plain.low
        held += Number((result?.low as number) <= 0.7 && 0.7 <= (result?.high as number))
      }
      // Of 20 labels fewer than five are wrong in a quarter of the worlds: then the bounds are those of any distribution.
      expect(powered / alone).toBeLessThanOrEqual(n === 20 ? 1.04 : 1.005)
      expect(held / worlds).toBeGreaterThan(0.92)
    }
  })
  it("corrects labels that were drawn by the judge's own answer once they carry weights", () => {
    let weighted = 0
    let plain = 0
    const worlds = 300
    for (let world = 0; world < worlds; world++) {
      const random = createRandom(`inclusion/${world}`)
      const { human, judge } = paired(random, 800, 0.7)
      const chance = judge.map((score) => (score > 0.2 ? 0.5 : 0.1))
      const drawn = chance.map((c) => random.next() < c)
      const pick = (list: number[], expected: boolean) => list.filter((_, i) => drawn[i] === expected)
      const parts = { human: pick(human, true), judge: pick(judge, true), judgeOnly: pick(judge, false) }
      const weights = pick(
        chance.map((c) => 1 / c),
        true,
      )
      const judgeOnlyWeights = pick(
        chance.map((c) => 1 / (1 - c)),
        false,
      )
      const held = (options: object) => {
        const { low, high } = ppiPlusBounds(ppiPlus({ ...parts, ...options }))
        return Number(low <= 0.05 && high >= 0.05)
      }
      weighted += held({ weights, judgeOnlyWeights })
      plain += held({})
    }
    expect(weighted / worlds).toBeGreaterThan(0.92)
    expect(plain / worlds).toBeLessThan(0.8)
  })
})

describe("ppiPlus", () => {
  it("refuses one label, unequal lengths and weights that mean nothing", () => {
    const data = { human: [1, 0], judge: [1, 0], judgeOnly: [1] }
    expect(() => ppiPlus({ human: [1], judge: [1], judgeOnly: [] })).toThrow(/two labels/)
    expect(() => ppiPlus({ ...data, judge: [1] })).toThrow(RangeError)
    expect(() => ppiPlus({ ...data, weights: [1, -1] })).toThrow(/negative/)
    expect(() => ppiPlus({ ...data, weights: [0, 0] })).toThrow(/positive/)
    expect(() => ppiPlus({ ...data, weights: [1] })).toThrow(/1 weights for 2/)
  })
})
