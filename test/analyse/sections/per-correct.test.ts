import { describe, expect, it } from "vitest"
import { type JudgedPair, perCorrect } from "../../../src/analyse/sections/quantization/per-correct.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { KnownFigure } from "../../../src/core/report/figure.ts"

const n = 400

/** Pairs whose second answer is dearer and less often right; every tenth has no amount. */
function draw(): JudgedPair[] {
  const random = createRandom("per-correct")
  return Array.from({ length: n }, (_, i) => {
    const long = 0.5 + random.next()
    const side = (mean: number) => ({
      sampleId: `s${i}`,
      repeat: 0,
      e2eMs: i % 10 === 0 ? null : mean * (long + random.next()),
    })
    const isHard = random.next() < 0.4
    const right = (share: number) => Number(random.next() < (isHard ? share / 3 : share))
    return { answers: [side(100), side(130)], correct: [right(0.9), right(0.4)] } as unknown as JudgedPair
  })
}

/** Logarithm of the ratio of what a correct answer takes. */
function logRatio(pairs: readonly JudgedPair[]): number {
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const both = pairs.filter(({ answers }) => answers.every(({ e2eMs }) => e2eMs !== null))
  const [spentA, spentB] = [0, 1].map((side) => total(both.map(({ answers }) => answers[side]!.e2eMs as number)))
  const [rightA, rightB] = [0, 1].map((side) => total(pairs.map(({ correct }) => correct[side] as number)))
  return Math.log(spentB! / spentA!) - Math.log(rightB! / rightA!)
}

describe("what a correct answer takes, as a share of the reference's", () => {
  const pairs = draw()
  const figure = perCorrect(pairs, ({ e2eMs }) => e2eMs, { alpha: 0.05 }) as KnownFigure
  it("is the ratio of the amounts over that of the correct answers", () => {
    expect(figure.value).toBeCloseTo(Math.expm1(logRatio(pairs)), 12)
  })
  it("has the interval that leaving out each sample in turn gives", () => {
    const left = pairs.map((_, i) => logRatio(pairs.toSpliced(i, 1)))
    const mean = left.reduce((sum, value) => sum + value, 0) / n
    const error = Math.sqrt(((n - 1) / n) * left.reduce((sum, value) => sum + (value - mean) ** 2, 0))
    const half = (Math.log1p(figure.high as number) - Math.log1p(figure.low as number)) / 2
    expect(half / (1.966 * error)).toBeCloseTo(1, 2)
  })
})
