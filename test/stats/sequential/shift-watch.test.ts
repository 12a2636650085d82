import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { changePoints } from "../../../src/stats/sequential/change-point.ts"
import { createShiftWatch, type LevelShift } from "../../../src/stats/sequential/shift-watch.ts"

const options = { alpha: 0.05, values: 100, memory: 500, seed: 1 }

function shiftsOf(values: readonly number[]): readonly (LevelShift & { readonly found: number })[] {
  const watch = createShiftWatch(options)
  return values.flatMap((value, i) => {
    const shift = watch.add(value)
    return shift ? [{ ...shift, found: i }] : []
  })
}

const normals = (count: number, mean: number, seed: number) => {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => mean + random.normal())
}

describe("a series that is watched for shifts", () => {
  it("has its rise and its fall found near where they are, soon after", () => {
    const shifts = shiftsOf([...normals(60, 0, 1), ...normals(60, 3, 2), ...normals(60, 0, 3)])
    expect(shifts).toHaveLength(2)
    const [rise, fall] = shifts
    expect([rise?.at, fall?.at].map((at) => Math.round((at ?? 0) / 60))).toEqual([1, 2])
    expect(rise?.found).toBeLessThan(75)
    expect(fall?.found).toBeLessThan(135)
    const levels = [rise?.before, rise?.after, fall?.before, fall?.after]
    for (const [i, level] of [0, 3, 3, 0].entries()) expect(Math.abs((levels[i] ?? 9) - level)).toBeLessThan(1)
  })

  it("splits where changePoints does", () => {
    const values = [...normals(50, 0, 4), ...normals(10, 4, 5)]
    const [shift] = shiftsOf(values)
    const [point] = changePoints(
      values.slice(0, (shift?.found ?? 0) + 1),
      values.slice(0, (shift?.found ?? 0) + 1).map(() => 1),
      0.001,
    )
    expect(shift).toMatchObject({ at: point?.at, before: point?.before, after: point?.after })
  })

  it("shows nothing where all values are the same, and where there are few", () => {
    expect(shiftsOf(Array.from({ length: 300 }, () => 0.25))).toEqual([])
    expect(shiftsOf([0, 0, 0, 0, 0, 9, 9, 9, 9])).toEqual([])
  })

  it("forgets what is older than its memory", () => {
    const watch = createShiftWatch({ ...options, memory: 20 })
    for (const value of normals(400, 0, 6)) watch.add(value)
    for (const value of normals(15, 5, 7)) {
      const shift = watch.add(value)
      if (shift) return expect(shift.at).toBe(400)
    }
    expect.unreachable()
  })

  it("keeps to its error rate on rare events, where a normal test does not", () => {
    let [alarms, ofNormal] = [0, 0]
    for (let series = 0; series < 200; series++) {
      const random = createRandom(`rare ${series}`)
      const values = Array.from({ length: 100 }, () => {
        let failures = 0
        for (let i = 0; i < 20; i++) if (random.next() < 0.005) failures++
        return failures / 20
      })
      if (shiftsOf(values).some(({ before, after }) => after > before)) alarms++
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / 100) || 1
      const isFound = (n: number) =>
        changePoints(
          values.slice(0, n),
          values.slice(0, n).map(() => deviation),
          0.0025,
        ).length > 0
      if (Array.from({ length: 18 }, (_, i) => 5 * (i + 3)).some(isFound)) ofNormal++
    }
    expect(alarms).toBeLessThanOrEqual(16)
    expect(ofNormal).toBeGreaterThan(30)
  })
})
