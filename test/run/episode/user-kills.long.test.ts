import { expect, it } from "vitest"
import { killUsers } from "../../support/kills/user-kills.ts"

/** The small form of `benchmarks/kills/users.ts`. */
it("sends nothing again for a turn on record, of variant, simulated user or summary, and pays what an unkilled run pays", {
  timeout: 240_000,
}, async () => {
  const tally = await killUsers({ kills: 6, samples: 10, seed: 5 })
  const { faults, sentAgain, otherWords, variantUsdOff, userUsdOff } = tally
  expect({ faults, sentAgain, otherWords, variantUsdOff, userUsdOff }).toEqual({
    faults: [],
    sentAgain: 0,
    otherWords: 0,
    variantUsdOff: 0,
    userUsdOff: 0,
  })
  expect(tally.kills).toBeGreaterThanOrEqual(4)
  // What was asked and is not on record was in flight at a kill.
  expect(tally.mostUnknownPerKill).toBeLessThanOrEqual(4)
})
