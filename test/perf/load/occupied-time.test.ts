import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createOccupiedTime } from "../../../src/perf/load/occupied-time.ts"

type Request = readonly [startMs: number, endMs: number]

function total(requests: readonly Request[], segment = 0): number {
  const time = createOccupiedTime()
  for (const [startMs, endMs] of requests) time.add(segment, startMs, endMs)
  return time.totalMs()
}

describe("the time in which a service was occupied", () => {
  it("counts once where requests overlap, and not where nothing is under way", () => {
    expect(total([])).toBe(0)
    expect(total([[0, 1000]])).toBe(1000)
    expect(
      total([
        [0, 1000],
        [500, 1500],
        [3000, 4000],
      ]),
    ).toBe(2500)
    expect(
      total([
        [100, 200],
        [300, 400],
        [0, 1000],
      ]),
    ).toBe(1000)
  })

  it("adds nothing for a request that took no time, or whose stamps are none", () => {
    expect(
      total([
        [5, 5],
        [5, 4],
        [Number.NaN, 4],
        [4, Number.NaN],
      ]),
    ).toBe(0)
  })

  it("keeps the clocks of segments apart", () => {
    const time = createOccupiedTime()
    time.add(0, 0, 1000)
    time.add(1, 0, 1000)
    expect(time.totalMs()).toBe(2000)
  })

  it("is the number of whole milliseconds that a request covers, in whatever order they come", () => {
    const span = fc.tuple(fc.nat(200), fc.nat(40)).map(([from, length]): Request => [from, from + length])
    fc.assert(
      fc.property(fc.array(span, { maxLength: 40 }), (requests) => {
        const covered = new Set(requests.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i)))
        expect(total(requests)).toBe(covered.size)
        expect(total([...requests].reverse())).toBe(covered.size)
      }),
    )
  })

  it("keeps what is settled as a sum", () => {
    const time = createOccupiedTime()
    time.add(0, 0, 10)
    time.settle()
    time.add(0, 20, 30)
    expect(time.totalMs()).toBe(20)
  })
})
