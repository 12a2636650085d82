import { describe, expect, it } from "vitest"
import { answerCost } from "../../../reports/app/samples/answer-cost.ts"
import type { Price } from "../../../src/core/cost.ts"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const [first] = syntheticInput({ samples: 3 }).report.variants as [VariantReport]
const none = (reason: string): Figure => ({ status: "unknown", reason })
const price: Price = {
  kind: "hourly",
  usdPerHour: 3.6,
  instances: 1,
  utilisation: 0.5,
  source: "test",
  date: "2026-11-23",
}
const speed: Figure = { status: "known", value: 100, n: 3, method: "test" }

function variant(price: Price | null, perQueryUsd: Figure, systemTokensPerSecond: Figure): VariantReport {
  const { price: _, ...cost } = first.cost
  return {
    ...first,
    cost: { ...cost, perQueryUsd, ...(price && { price }) },
    speed: { ...first.speed, systemTokensPerSecond },
  }
}

describe("the cost of one answer", () => {
  it("is what was billed, where that is known", () => {
    expect(answerCost(variant(null, none("no price"), speed), 0.0123, 5)).toEqual({ known: "$0.0123" })
  })

  it("is the answer's share of a machine that is paid by the hour: tokens over throughput, idle time paid, too", () => {
    // 3.6 dollars an hour at half its use are 0.002 a second; 100 tokens a second make 20 tokens a fifth of one.
    const cost = answerCost(variant(price, speed, speed), null, 20)
    expect(cost).toEqual({ known: "$0.000400, its share of the machine" })
  })

  it("says why it is unknown: no price, no throughput, no tokens", () => {
    expect(answerCost(variant(null, none("no price is known for this model"), speed), null, 5)).toEqual({
      unknown: "no price is known for this model",
    })
    expect(answerCost(variant(price, speed, none("nothing was timed")), null, 5)).toEqual({
      unknown: "the machine is paid for its time, and its throughput is unknown: nothing was timed",
    })
    expect(answerCost(variant(price, speed, speed), null, null)).toMatchObject({
      unknown: expect.stringContaining("were not counted"),
    })
  })
})
