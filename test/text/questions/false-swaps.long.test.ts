import { expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { createRandom } from "../../../src/core/random.ts"
import { createRepeatFinder } from "../../../src/text/questions/repeated-questions.ts"
import { sized } from "../../support/nightly.ts"
import { numberMetric } from "../../support/scored.ts"

const [questions, margin, alpha] = [40, 0.1, 0.05]
const metric = { ...numberMetric("right"), range: [0, 1] as const }

/** Share of worlds in which a candidate that is worse by exactly the margin may replace the baseline, each question asked some times. */
function falseSwaps(times: number, worlds: number): number {
  const finder = createRepeatFinder()
  const ids = Array.from({ length: questions * times }, (_, i) => `s${i}`)
  for (const [i, id] of ids.entries())
    finder.add({ id }, { text: `How far is it to town ${i % questions}?`, asked: null, expected: null })
  const clusters = finder.clusters()
  let swaps = 0
  for (let world = 0; world < worlds; world++) {
    const random = createRandom(`${times}/${world}`)
    const drawn = Array.from({ length: questions }, () => {
      const draw = random.next()
      return draw < 0.2 ? [1, 0] : draw < 0.3 ? [0, 1] : draw < 0.7 ? [1, 1] : [0, 0]
    })
    const side = (name: string, of: 0 | 1) => {
      const rows = ids.map((sampleId, i) => {
        const value = drawn[i % questions]![of] as number
        const cluster = clusters.get(sampleId)
        return {
          sampleId,
          repeat: 0,
          ...(cluster !== undefined && { cluster }),
          measured: { status: "scored" as const, row: value },
          value,
        }
      })
      return { name, answers: [], rows: new Map([["right", rows]]) }
    }
    const [comparison] = compareVariants({
      ...{
        baseline: side("a", 0),
        candidate: side("b", 1),
        metrics: [metric],
        primary: ["right"],
        margin,
        alpha,
        seed: 1,
      },
    }).metrics
    if (comparison!.verdict === "non_inferior" || comparison!.verdict === "better") swaps++
  }
  return swaps / worlds
}

it.each([1, 5, 10])("grants no more false swaps where every question is asked %i times", (times) => {
  const worlds = sized(600, 150)
  expect(falseSwaps(times, worlds)).toBeLessThanOrEqual(alpha + 3 * Math.sqrt((alpha * (1 - alpha)) / worlds))
})
