import { describe, expect, it } from "vitest"
import { doubts } from "../../../reports/wording/doubts.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })

describe("what speaks against believing an answer", () => {
  it("is nothing where everything passed", () => {
    expect(doubts({ ...report, gate: [], checks: [] })).toEqual([])
  })

  it("begins with what is gravest and says it in plain words", () => {
    const variants = report.variants.map((own, index) => (index === 1 ? { ...own, failure: "no server" } : own))
    const message = "TTFT ±0.79 ms, ITL ±19 µs (medians), event loop busy 6 %: too large for the limits on ttftMs of a"
    const checks = [
      { name: "no decision rests on a time within evalkit's own timing error", status: "failed", message },
      { name: "clock", status: "failed", message: "it jumped" },
    ] as const
    expect(doubts({ ...report, variants, checks })).toEqual([
      "m-q8_0 failed: no server",
      `Check failed (no decision rests on a time within evalkit's own timing error): ${message}`,
      "Check failed (clock): it jumped",
      'hosted-70b does not pass the rule "availability at least 0.99": 0.979 is below 0.99',
    ])
  })
})
