import { expect, it } from "vitest"
import { createTimeLine } from "../../src/perf/time-line.ts"

it("has every second of a run, and segments one after the other", () => {
  const line = createTimeLine()
  line.started(0, 1200)
  line.ended(0, 3900, false)
  line.started(1, 500)
  expect(line.seconds().map(({ second, started, ended }) => [second, started, ended])).toEqual([
    [0, 1, 0],
    [1, 0, 0],
    [2, 1, 1],
  ])
})

it("takes no second for each of many short turns: five hundred of 11 ms are five and a half seconds", () => {
  const line = createTimeLine()
  for (let turn = 0; turn < 500; turn++) {
    line.started(turn, 100)
    line.ended(turn, 111, false)
  }
  const seconds = line.seconds()
  expect(seconds).toHaveLength(6)
  expect(seconds.slice(0, 5).map(({ ended }) => ended)).toEqual([91, 91, 91, 91, 91])
  expect(seconds.reduce((sum, { ended }) => sum + ended, 0)).toBe(500)
})

it("leaves idle seconds out where a file states a time of years: they would fill the memory", () => {
  const line = createTimeLine()
  line.started(0, 0)
  line.ended(0, 4_294_967_296_000, true)
  line.started(1, 0)
  expect(line.seconds().map(({ second, failed }) => [second, failed])).toEqual([
    [0, 0],
    [4_294_967_296, 1],
  ])
})

it("ends where a file states a time beyond whole numbers, whose next second is the same number", () => {
  const line = createTimeLine()
  line.started(0, 5.95e281)
  line.ended(0, 5.95e281, false)
  expect(line.seconds()).toHaveLength(1)
})
