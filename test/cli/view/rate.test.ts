import { expect, it } from "vitest"
import { createRate } from "../../../src/cli/view/live/rate.ts"

it("tells the rate over the last minute in which somebody looked, and says when nothing comes", () => {
  const rate = createRate()
  expect(rate.perSecond(10, 0)).toBeNull()
  expect(rate.perSecond(12, 2_000)).toBeNull()
  expect(rate.perSecond(50, 20_000)).toBe(2)
  // Nobody looked for more than a minute: it begins anew.
  expect(rate.perSecond(90, 95_000)).toBeNull()
  expect(rate.perSecond(90, 110_000)).toBe(0)
})
