import { describe, expect, it } from "vitest"
import { type Load, measureBench, measureRun, type Shown } from "../../benchmarks/ledger/measure.ts"
import { quantile } from "../../src/stats/quantile.ts"
import type { ServiceHabits } from "../support/servers/ledger-server.ts"

/** Faults of every kind: failures that ask to wait, stops, thinking before the first word, a storm of refusals. */
const odd: ServiceHabits = {
  ...{ failing: 0.2, failurePauseMs: [400, 900], stopping: 0.1, stopMs: 2000 },
  ...{ thinks: true, thinkingMs: 50, firstWordMs: 700, betweenMs: 60, storm: { from: 40, attempts: 10, pauseMs: 500 } },
}
const size = { seed: 5, questions: 80 }

/** How far apart the figures are, in milliseconds. */
function distances({ times }: Pick<Shown, "times">): readonly number[] {
  return times.flatMap(({ shown, truth }) => truth.map((ms, i) => Math.abs((shown[i] as number) - ms)))
}

describe("felt times beside the ledger of a service in a process of its own", () => {
  it("are those of the ledger in a run, request by request: a busy machine delays some, a retry or a wait that is missed would be many", async () => {
    const [shown] = (await measureRun({ odd }, size)) as [Shown]
    expect(shown.counts.shown).toEqual(shown.counts.truth)
    expect(shown.counts.truth.failed).toBeGreaterThan(8)
    const sizes = shown.differencesMs.map(Math.abs)
    expect(sizes.length).toBeGreaterThan(size.questions)
    // A failure adds 750 ms at least, to a fifth of the requests.
    expect(quantile(sizes, 0.5)).toBeLessThan(40)
    expect(quantile(sizes, 0.9)).toBeLessThan(200)
    const ofRequests = { times: shown.times.filter(({ name }) => name !== "longestStopMs") }
    // Percentiles of the same requests cannot be further apart than the requests are.
    for (const ms of distances(ofRequests)) expect(ms).toBeLessThanOrEqual(Math.max(...sizes) + 1e-6)
  }, 120_000)

  const loads: readonly Load[] = [
    { name: "8 in flight", options: ["--concurrency", "8"], ratePerSecond: null },
    {
      name: "12 a second, 8 in flight",
      options: ["--rate", "12", "--arrival", "constant", "--max-in-flight", "8"],
      ratePerSecond: 12,
    },
  ]
  it.each(loads)(
    "are those of the ledger in a load test, from when requests were due: $name",
    async (load) => {
      const shown = await measureBench({ odd }, load, size)
      const { met: metShown = Number.NaN, ...counts } = shown.counts.shown
      const { met = Number.NaN, ...truth } = shown.counts.truth
      expect(counts).toEqual(truth)
      expect(Math.abs(metShown - met)).toBeLessThanOrEqual(2 + shown.stalled)
      // What the client was not awake for is in the ledger alone.
      if (shown.stalled > 0) return
      expect(quantile(distances(shown), 0.5)).toBeLessThan(40)
      for (const ms of distances(shown)) expect(ms).toBeLessThan(300)
    },
    120_000,
  )
})
