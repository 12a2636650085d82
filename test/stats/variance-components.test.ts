import { describe, expect, it } from "vitest"
import { drawParts } from "../../benchmarks/verdicts/agents.ts"
import { createRandom } from "../../src/core/random.ts"
import { errorWithRepeats, type NestedScore, varianceComponents } from "../../src/stats/variance-components.ts"

/** Scores by task and draw. */
const nested = (tasks: readonly (readonly (readonly number[])[])[]): NestedScore[] =>
  tasks.flatMap((draws, task) =>
    draws.flatMap((scores, draw) => scores.map((score) => ({ task: `t${task}`, draw, score }))),
  )

describe("variance components", () => {
  it("are those of the textbook for equal numbers: differences of mean squares", () => {
    // Means of squares by hand: tasks 24.5 (1), users 5 (2), noise 0.5 (4); numbers 2 users twice.
    const result = varianceComponents(
      nested([
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [8, 9],
        ],
      ]),
    )
    const noise = 0.5
    const user = ((2 * (1.5 - 2.5) ** 2 * 2 + 2 * (5.5 - 7) ** 2 * 2) / 2 - noise) / 2
    const task = (4 * (2.5 - 4.75) ** 2 * 2 - (noise + 2 * user)) / 4
    expect(result.noise?.value).toBeCloseTo(noise, 12)
    expect(result.user?.value).toBeCloseTo(user, 12)
    expect(result.task?.value).toBeCloseTo(task, 12)
    expect(result.within?.value).toBeCloseTo(user + noise, 12)
    // Two tasks leave no interval.
    expect(result.task).toMatchObject({ low: null, high: null })
  })

  it("do not change with a constant, and change with the square of a factor", () => {
    const { scores } = drawParts(createRandom(1), 40)
    const plain = varianceComponents(scores)
    const moved = varianceComponents(scores.map((score) => ({ ...score, score: 1e6 + 3 * score.score })))
    for (const name of ["task", "user", "noise", "within"] as const)
      expect(moved[name]?.value).toBeCloseTo(9 * (plain[name]?.value ?? Number.NaN), 6)
  })

  it("leave user and noise together where nobody was met twice, and everything where each task was done once", () => {
    const once = varianceComponents(
      nested([
        [[1], [2]],
        [[4], [6]],
        [[0], [1]],
      ]),
    )
    expect(once).toMatchObject({ user: null, noise: null })
    expect(once.within?.value).toBeCloseTo((0.5 + 2 + 0.5) / 3, 12)
    expect(varianceComponents(nested([[[1]], [[2]]]))).toMatchObject({
      task: null,
      user: null,
      noise: null,
      within: null,
    })
    expect(varianceComponents(nested([[[1, 2]], [[2, 4]]]))).toMatchObject({ user: null, noise: { value: 1.25 } })
  })

  it("with unequal numbers hit the known parts on average, and their intervals hold them", () => {
    const runs = 80
    const sums = { task: 0, user: 0, noise: 0 }
    const held = { task: 0, user: 0, noise: 0 }
    let totals = sums
    for (let run = 0; run < runs; run++) {
      const random = createRandom(`unequal/${run}`)
      const { scores, parts } = drawParts(random, 400)
      totals = parts
      // Every fifth score is missing at random.
      const result = varianceComponents(scores.filter(() => random.next() > 0.2))
      for (const name of ["task", "user", "noise"] as const) {
        const { value, low, high } = result[name]!
        sums[name] += value / runs
        held[name] += Number(low! <= parts[name] && parts[name] <= high!) / runs
      }
    }
    for (const name of ["task", "user", "noise"] as const) {
      // Estimates below 0 are cut, which lifts the mean of small parts of few tasks.
      expect(Math.abs(sums[name] - totals[name]), name).toBeLessThan(0.004)
      expect(held[name], name).toBeGreaterThan(0.87)
    }
  })

  it("say what repeats would do to the error of a mean", () => {
    const part = (value: number) => ({ value, low: null, high: null })
    expect(errorWithRepeats({ task: part(0.04), within: part(0.16) }, 100, 4)).toBeCloseTo(Math.sqrt(0.08 / 100), 12)
    expect(errorWithRepeats({ task: null, within: part(0.16) }, 100, 4)).toBeNull()
  })

  it("need a score, and finite ones", () => {
    expect(() => varianceComponents([])).toThrow(RangeError)
    expect(() => varianceComponents([{ task: "a", draw: 0, score: Number.NaN }])).toThrow(RangeError)
  })
})
