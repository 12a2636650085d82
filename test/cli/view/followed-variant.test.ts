import { describe, expect, it } from "vitest"
import { followVariant } from "../../../src/cli/view/live/followed-variant.ts"
import { hardwareOnRecord } from "../../../src/cli/view/live/price-on-record.ts"
import type { HourlyPrice } from "../../../src/core/cost.ts"
import type { Generation } from "../../../src/core/generation.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import { createProgressTracker } from "../../../src/run/progress-tracker.ts"
import { generationOf, logOf } from "../../perf/logs.ts"
import { createFakeClock } from "../../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

const price: HourlyPrice = {
  ...{ kind: "hourly", usdPerHour: 3.6, instances: 1, utilisation: 0.5 },
  ...{ source: "a bill", date: "2026-11-01" },
}
const byTheHour = {
  status: "unknown",
  reason: "hardware is paid by the hour: its cost follows from throughput",
} as const

/** Three answers that overlap, one after a pause, and one that was kept from an earlier run. */
const answers: readonly Generation[] = [
  ...[0, 200, 400, 3_000].map((sendMs, position) =>
    generationOf(logOf([], { sendMs, endMs: sendMs + 1_000 }), { variant: "a", position, cost: byTheHour }),
  ),
  generationOf(logOf([], { sendMs: 9_000, endMs: 12_000 }), {
    ...{ variant: "a", position: 4, cost: byTheHour, source: "replayed" },
  }),
]

function tracked(): number | null | undefined {
  const provider = fakeProvider("p", () => fakeAnswer("x"))
  const variants = [{ ...fakeVariant("a", provider), price }]
  const tracker = createProgressTracker({
    evaluation: { name: "e", variants, concurrency: 4, budget: { usd: null } } as never,
    ...{ runId: "r", planned: 5, clock: createFakeClock() },
  })
  for (const _ of answers) tracker.callStarted("a")
  for (const answer of answers) tracker.callSaved(answer)
  return tracker.snapshot().variants[0]?.costUsd
}

describe("a variant that is followed while its run goes on", () => {
  it("costs on hardware by the hour what the run's own progress says, read in another order", () => {
    const followed = followVariant(0.05, price)
    for (const answer of [...answers].reverse()) followed.add(answer)
    const cost = followed.totalUsd()
    expect(cost).toMatchObject({ status: "known", n: 5 })
    expect(cost.status === "known" && cost.value).toBeCloseTo(0.002 * (1.4 + 1), 12)
    expect(tracked()).toBeCloseTo(0.002 * (1.4 + 1), 12)
  })

  it("costs nothing that can be told before an answer is read", () => {
    expect(followVariant(0.05, price).totalUsd()).toMatchObject({ status: "unknown" })
    expect(followVariant(0.05, null).totalUsd()).toMatchObject({ status: "unknown" })
  })

  it("says why the cost is unknown where several workers asked, or nothing is priced", () => {
    const followed = followVariant(0.05, price)
    for (const [i, answer] of answers.entries()) followed.add({ ...answer, worker: `w${i}` })
    expect(followed.totalUsd()).toMatchObject({ status: "unknown", reason: expect.stringContaining("several workers") })
    const unpriced = followVariant(0.05, null)
    unpriced.add(generationOf(logOf([])))
    expect(unpriced.totalUsd()).toEqual({ status: "unknown", reason: "no price" })
  })

  it("finds the hardware's price in the run's record, and takes nothing else for one", () => {
    const tokens = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 4, source: "s", date: "2026-11-01" }
    const config = JSON.parse(
      JSON.stringify({
        variants: [
          { name: "a", price },
          { name: "b", price: tokens },
          { name: "c", price: null },
          { name: "d", price: { ...price, usdPerHour: "much" } },
        ],
      }),
    )
    expect(hardwareOnRecord({ config }, "a")).toEqual(price)
    for (const name of ["b", "c", "d", "e"]) expect(hardwareOnRecord({ config }, name)).toBeNull()
    const others: readonly JsonObject[] = [{}, { variants: 3 }, { variants: [null, "a"] }]
    for (const other of others) expect(hardwareOnRecord({ config: other }, "a")).toBeNull()
  })
})
