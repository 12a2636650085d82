import { expect, it } from "vitest"
import { killEpisodes } from "../../support/kills/episode-kills.ts"

/** The small form of `benchmarks/kills/episodes.ts`. */
it("calls no tool with effects twice and repeats no step on record, wherever an episode is killed", {
  timeout: 240_000,
}, async () => {
  const tally = await killEpisodes({ kills: 6, samples: 12, seed: 3 })
  const { faults, effectsTwice, stepsAgain, requestsAgain, lost } = tally
  expect({ faults, effectsTwice, stepsAgain, requestsAgain, lost }).toEqual({
    faults: [],
    effectsTwice: 0,
    stepsAgain: 0,
    requestsAgain: 0,
    lost: 0,
  })
  expect(tally.kills).toBeGreaterThanOrEqual(4)
  expect(tally.taken["went on"]).toBeGreaterThan(0)
  // What was asked and is not on record was in flight at a kill.
  expect(tally.mostUnknownPerKill).toBeLessThanOrEqual(4)
})
