import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { tangoInterval } from "../../../src/stats/intervals/tango-interval.ts"
import { sequentialDesign } from "../../../src/stats/sequential/alpha-spending.ts"
import { lookLadder } from "../../../src/stats/sequential/look-ladder.ts"
import { samplesForMargin } from "../../../src/stats/tests/power.ts"

const margin = 0.05
/** A data set 2.7 times as large as a test at a fixed number would need for 80 % power at a truth of 0. */
const most = 1000
const looks = lookLadder(most)
const { levels } = sequentialDesign(looks, { spending: "looks" })

/** Right and wrong pairs, read at each look until "not worse by more than the margin" is shown, or to the last. */
function run(seed: string, lost: number, won: number) {
  const random = createRandom(seed)
  let [losses, wins, n] = [0, 0, 0]
  for (const [look, samples] of looks.entries()) {
    for (; n < samples; n++) {
      const u = random.next()
      if (u < lost) losses++
      else if (u < lost + won) wins++
    }
    if ((wins - losses) / n <= -margin) continue
    if (tangoInterval(losses, wins, n, 2 * (levels[look] as number)).low > -margin) return { shown: true, n }
  }
  return { shown: false, n }
}

describe("lookLadder", () => {
  it("rises by 15 %, at least by 10, and ends with all samples", () => {
    expect(lookLadder(200)).toEqual([20, 30, 40, 50, 60, 70, 81, 94, 109, 126, 145, 167, 200])
    expect(lookLadder(65)).toEqual([20, 30, 40, 50, 65])
    expect(lookLadder(12)).toEqual([12])
    expect(() => lookLadder(0)).toThrow(RangeError)
  })
  it("errs in at most alpha of 10,000 runs on the margin, looked at to the end of the data", () => {
    let wrong = 0
    for (let world = 0; world < 10_000; world++) wrong += Number(run(`margin/${world}`, 0.1, 0.05).shown)
    expect(wrong / 10_000).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 10_000))
  })
  it("needs at most 1.2 times the fixed number where the truth is 0, and 0.6 times where the case is clear", () => {
    const fixed = samplesForMargin(Math.sqrt(0.15), margin)
    expect(fixed).toBeLessThan(most / 2.5)
    const asked = (lost: number, won: number) => {
      const runs = Array.from({ length: 1000 }, (_, world) => run(`${lost}/${world}`, lost, won))
      const shown = runs.filter((entry) => entry.shown).length / runs.length
      return { shown, share: runs.reduce((sum, { n }) => sum + n, 0) / runs.length / fixed }
    }
    const equal = asked(0.075, 0.075)
    expect(equal.share).toBeLessThanOrEqual(1.2)
    expect(equal.shown).toBeGreaterThan(0.97)
    const clear = asked(0.045, 0.105)
    expect(clear.share).toBeLessThanOrEqual(0.6)
    expect(clear.shown).toBeGreaterThan(0.99)
  })
})
