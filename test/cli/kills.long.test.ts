import { expect, it } from "vitest"
import { concurrency } from "../support/kills/projects.ts"
import { killSeries } from "../support/kills/series.ts"

/** The small form of `benchmarks/kills`: one round, with a kill in every stage. */
it("loses and doubles nothing, asks nothing finished again and reports the same, wherever it is killed", {
  timeout: 240_000,
}, async () => {
  const tally = await killSeries({
    kills: 8,
    samples: 20,
    seed: 5,
    round: {
      live: ["generation", "generation", "judging"],
      recorded: ["generation", "judging", "scoring", "summary", "page"],
      import: 1,
      merge: 1,
    },
  })
  const { kills, faults, lost, doubled, finishedSentAgain, otherCosts, otherReports, mostInFlightPerKill } = tally
  expect(faults).toEqual([])
  expect({ lost, doubled, finishedSentAgain, otherCosts, otherReports }).toEqual({
    lost: 0,
    doubled: 0,
    finishedSentAgain: 0,
    otherCosts: 0,
    otherReports: 0,
  })
  expect(Object.values(kills).reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(8)
  expect(mostInFlightPerKill).toBeLessThanOrEqual(concurrency)
})
