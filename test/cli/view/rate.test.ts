import { expect, it } from "vitest"
import { createRate } from "../../../src/cli/view/live/rate.ts"

it("reads the rate from the answers' own clock until it has looked for long enough, and then says when nothing comes", () => {
  const rate = createRate()
  expect(rate.perSecond(0, 0)).toBeNull()
  for (let i = 0; i <= 10; i++) rate.ended(0, 100 * i)
  expect(rate.perSecond(11, 1_000)).toBeCloseTo(10, 9)
  // 40 more in the 20 seconds since the first look.
  expect(rate.perSecond(40, 20_000)).toBeCloseTo(2, 9)
  // Nobody looked for more than a minute: the answers' own clock again.
  expect(rate.perSecond(40, 95_000)).toBeCloseTo(10, 9)
  expect(rate.perSecond(40, 110_000)).toBe(0)
})

it("takes the latest segment of a run that was taken up again", () => {
  const rate = createRate()
  for (let i = 0; i < 5; i++) rate.ended(0, 1_000_000 + i)
  for (let i = 0; i < 5; i++) rate.ended(1, 500 * i)
  rate.ended(0, 2_000_000)
  expect(rate.perSecond(11, 0)).toBeCloseTo(2, 9)
})
