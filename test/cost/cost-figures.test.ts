import { type Figure, figureValue, unknown } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { createCostAccumulator } from "../../src/cost/cost-figures.ts"
import { costOfUsage } from "../../src/cost/cost-of-usage.ts"
import { attemptOf, generationOf, hourlyPrice, ownedPrice, tokenPrice, usageOf } from "./generations.ts"

const thousandPerSecond: Figure = { status: "known", value: 1000, n: 1, method: "measured" }

const measuredCapacity = { file: "bench.json", requestsPerSecond: 50, low: 40, high: 60, objectives: ["ttft<800ms"] }

describe("the cost of a variant", () => {
  it("makes the correct answers pay for the wrong ones", () => {
    const cost = createCostAccumulator({ price: tokenPrice })
    for (let i = 0; i < 100; i++) cost.add(generationOf(), i < 80 ? 1 : 0)
    const figures = cost.figures({ tokensPerSecond: thousandPerSecond }, 1000)
    expect(figureValue(figures.totalUsd)).toBeCloseTo(0.55, 12)
    expect(figureValue(figures.perQueryUsd)).toBeCloseTo(0.0055, 12)
    expect(figureValue(figures.perThousandUsd)).toBeCloseTo(5.5, 12)
    expect(figureValue(figures.perCorrectUsd)).toBeCloseTo(0.55 / 80, 12)
    expect(figures.priceSource).toBe("a price list (2026-07-24)")
  })

  it("counts the idle time of hardware under an open loop once", () => {
    // 3 dollars an hour, used for a tenth of the time: 2 requests a second of 20 tokens each are 40 tokens a second.
    const price = { ...hourlyPrice, utilisation: 0.1 }
    const open: Figure = { status: "known", value: 40, n: 1, method: "measured" }
    const figuresOf = (idleMeasured: boolean) => {
      const cost = createCostAccumulator({ price, idleMeasured })
      for (let i = 0; i < 10; i++) cost.add(generationOf({ usage: usageOf(10, 20) }), 1)
      return cost.figures({ tokensPerSecond: open }, null)
    }
    const perThousand = (idleMeasured: boolean) => figuresOf(idleMeasured).perThousandUsd
    const methodOf = (idleMeasured: boolean) => {
      const { totalUsd } = figuresOf(idleMeasured)
      return totalUsd.status === "known" ? totalUsd.method : totalUsd.reason
    }
    // An hour has 7,200 such requests.
    expect(figureValue(perThousand(true))).toBeCloseTo((3 * 1000) / 7200, 9)
    expect(methodOf(true)).toMatch(/included once/)
    expect(methodOf(false)).not.toMatch(/included once/)
    // A closed loop keeps the machine busy: its idle time is the stated share.
    expect(figureValue(perThousand(false))).toBeCloseTo((3 * 1000) / 720, 9)
  })

  it.each([
    ["requestsPerSecond", { requestsPerSecond: 50 }, /capacity that its price states/],
    ["tokensPerSecond", { tokensPerSecond: 1000 }, /capacity that its price states/],
    ["capacity of a bench", { capacity: measuredCapacity }, /largest load within the objectives of bench\.json/],
    ["neither", {}, /40\.0 output tokens per second, with 2\.0 in flight/],
  ])("is that of hardware at its stated capacity: %s", (name, capacity, method) => {
    const cost = createCostAccumulator({ price: { ...hourlyPrice, ...capacity } })
    for (let i = 0; i < 10; i++) cost.add(generationOf({ usage: usageOf(10, 20) }), 1)
    const measured: Figure = { status: "known", value: 40, low: 30, high: 50, n: 10, method: "measured" }
    const { perThousandUsd, totalUsd } = cost.figures(
      { tokensPerSecond: measured, sentPerSecond: measured, inFlight: 2 },
      null,
    )
    // $3 an hour: 50 requests or 1,000 tokens of 20 each a second; else the 2 requests a second that the run saw
    expect(figureValue(perThousandUsd)).toBeCloseTo((3 * 1000) / (3600 * (name === "neither" ? 2 : 50)), 9)
    expect(totalUsd).toMatchObject({ method: expect.stringMatching(method) })
    const usd = (rate: number) => expect.closeTo(3000 / (3600 * rate), 9)
    if (name.startsWith("capacity")) expect(perThousandUsd).toMatchObject({ low: usd(60), high: usd(40) })
  })

  it("counts repeats of a sample as one piece of evidence: four answers each leave the interval as it was", () => {
    const boundsOf = (repeats: number) => {
      const cost = createCostAccumulator({ price: tokenPrice })
      for (let sample = 0; sample < 40; sample++)
        for (let repeat = 0; repeat < repeats; repeat++)
          cost.add(
            generationOf({ sampleId: `s${sample}`, repeat, usage: usageOf(100 + 20 * (sample % 7), 50) }),
            sample % 3 ? 1 : 0,
          )
      const { perQueryUsd, perCorrectUsd } = cost.figures({ tokensPerSecond: thousandPerSecond }, 1000)
      return [perQueryUsd, perCorrectUsd].map((figure) =>
        figure.status === "known" ? [figure.low, figure.high] : null,
      )
    }
    const [once, often] = [boundsOf(1), boundsOf(4)].map((bounds) => bounds.flat() as number[])
    expect(once).toHaveLength(4)
    once?.forEach((bound, i) => {
      expect(often?.[i]).toBeCloseTo(bound, 12)
    })
  })

  it("says what it cost at least where a class of tokens has no rate", () => {
    const { cachedInputPerMillion: _cached, ...price } = tokenPrice
    const cost = createCostAccumulator({ price })
    cost.add(generationOf({ cost: costOfUsage(usageOf(1000, 200, 400), price) }), 1)
    cost.add(generationOf({ cost: costOfUsage(usageOf(1000, 200), price) }), 1)
    const { totalUsd, perQueryUsd } = cost.figures({ tokensPerSecond: thousandPerSecond }, null)
    expect(totalUsd).toMatchObject({
      status: "unknown",
      reason:
        "1 of 2 answers have no known cost: no rate is stated for 400 cached prompt tokens; all answers together cost at least $0.01",
    })
    expect(perQueryUsd.status).toBe("unknown")
  })

  it("says so when the amounts are the service's own", () => {
    const cost = createCostAccumulator({ price: null })
    const usage = { ...usageOf(1000, 200), chargedUsd: 0.002 }
    for (let i = 0; i < 3; i++) cost.add(generationOf({ cost: costOfUsage(usage, null) }), 1)
    const figures = cost.figures({ tokensPerSecond: thousandPerSecond }, null)
    expect(figureValue(figures.totalUsd)).toBeCloseTo(0.006, 12)
    expect(figures.parts).toEqual({ charged: expect.closeTo(0.006, 12) })
    expect(figures.priceSource).toBe("what the service states that it charged")
  })

  it("shows failed answers and retried attempts apart, inside the total", () => {
    const cost = createCostAccumulator({ price: tokenPrice })
    cost.add(generationOf(), 1)
    cost.add(generationOf({ retries: [attemptOf("truncated", usageOf(1000, 100))] }), 1)
    cost.add(generationOf({ outcome: "malformed" }), null)
    const figures = cost.figures({ tokensPerSecond: thousandPerSecond }, null)
    expect(figureValue(figures.totalUsd)).toBeCloseTo(0.0055 * 3 + 0.004, 12)
    expect(figureValue(figures.failedUsd)).toBeCloseTo(0.004 + 0.0055, 12)
    expect(figures.perCorrectUsd).toMatchObject({ warning: expect.stringContaining("1 of 3") })
  })

  it("keeps the parts, which add up to the total", () => {
    const cost = createCostAccumulator({ price: tokenPrice })
    cost.add(generationOf(), 1)
    cost.add(generationOf({ retries: [attemptOf("truncated", usageOf(1000, 100))] }), 1)
    const { parts = {}, totalUsd, price } = cost.figures({ tokensPerSecond: thousandPerSecond }, null)
    expect(parts.failedAttempts).toBeCloseTo(0.004, 12)
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(figureValue(totalUsd) ?? 0, 12)
    expect(price).toBe(tokenPrice)
    const rented = createCostAccumulator({ price: hourlyPrice })
    rented.add(generationOf(), 1)
    const hardware = rented.figures({ tokensPerSecond: thousandPerSecond }, null)
    expect(hardware.parts).toEqual({ hardware: figureValue(hardware.totalUsd) })
  })

  it("keeps judges apart from the total", () => {
    const judgeUsd: Figure = { status: "known", value: 7, n: 3, method: "sum" }
    const cost = createCostAccumulator({ price: tokenPrice, judgeUsd })
    cost.add(generationOf(), 1)
    const figures = cost.figures({ tokensPerSecond: thousandPerSecond }, null)
    expect(figures.judgeUsd).toBe(judgeUsd)
    expect(figureValue(figures.totalUsd)).toBeCloseTo(0.0055, 12)
  })

  it("carries an unknown price through every figure", () => {
    const cost = createCostAccumulator({ price: null })
    cost.add(generationOf({ cost: { status: "unknown", reason: "no price is known for this model" } }), 1)
    const { priceSource, parts, price, ...figures } = cost.figures({ tokensPerSecond: thousandPerSecond }, 1000)
    expect([priceSource, parts, price]).toEqual([null, undefined, undefined])
    for (const figure of Object.values(figures)) expect(figure.status).toBe("unknown")
    expect(figures.totalUsd).toEqual(unknown("no price is known for this model"))
  })

  it("says how many answers have no known cost", () => {
    const cost = createCostAccumulator({ price: tokenPrice })
    cost.add(generationOf(), 1)
    cost.add(generationOf({ usage: usageOf(null, null) }), 1)
    const { totalUsd } = cost.figures({ tokensPerSecond: thousandPerSecond }, null)
    expect(totalUsd).toMatchObject({ status: "unknown", reason: expect.stringContaining("1 of 2 answers") })
  })

  it("has no cost per correct answer when none was correct, or when nothing was scored", () => {
    const wrong = createCostAccumulator({ price: tokenPrice })
    wrong.add(generationOf(), 0)
    expect(wrong.figures({ tokensPerSecond: thousandPerSecond }, null).perCorrectUsd).toEqual(
      unknown("no answer was correct"),
    )
    const unscored = createCostAccumulator({ price: tokenPrice })
    unscored.add(generationOf(), null)
    expect(unscored.figures({ tokensPerSecond: thousandPerSecond }, null).perCorrectUsd.status).toBe("unknown")
  })

  it("shares hardware out by tokens at the measured throughput", () => {
    const cost = createCostAccumulator({ price: hourlyPrice })
    const unpriced = { status: "unknown", reason: "paid by the hour" } as const
    cost.add(generationOf({ cost: unpriced, usage: usageOf(1, 600_000) }), 1)
    cost.add(generationOf({ cost: unpriced, usage: usageOf(1, 400_000) }), 0)
    const figures = cost.figures({ tokensPerSecond: thousandPerSecond }, 5000)
    expect(figureValue(figures.totalUsd)).toBeCloseTo(0.8333, 4)
    expect(figureValue(figures.perCorrectUsd)).toBeCloseTo(0.8333, 4)
  })

  it("is as unsure of hardware's cost as the throughput is, and says nothing of its bounds where that is not bounded", () => {
    const cost = createCostAccumulator({ price: hourlyPrice })
    for (let i = 0; i < 10; i++) cost.add(generationOf({ usage: usageOf(1, 100) }), i % 2)
    const rate = (value: number, share: number): Figure => ({
      ...{ status: "known", value, low: value / (1 + share), high: value * (1 + share), n: 10, method: "counted" },
    })
    const rates = {
      tokensPerSecond: rate(1000, 0.01),
      sentPerSecond: rate(10, 0.1),
      correctPerSecond: rate(5, 0.25),
    }
    const figures = cost.figures(rates, null)
    const widths = [figures.totalUsd, figures.perQueryUsd, figures.perThousandUsd, figures.perCorrectUsd].map(
      (figure) =>
        figure.status === "known"
          ? [(figure.low as number) / figure.value, (figure.high as number) / figure.value]
          : [],
    )
    for (const [i, share] of [0.01, 0.1, 0.1, 0.25].entries()) {
      expect(widths[i]?.[0]).toBeCloseTo(1 / (1 + share), 9)
      expect(widths[i]?.[1]).toBeCloseTo(1 + share, 9)
    }
    expect(cost.figures({ tokensPerSecond: rates.tokensPerSecond }, null).perQueryUsd).toMatchObject({
      ...{ status: "known", low: null, high: null },
    })
  })

  it("falls back on the time that the hardware was used, and on unknown without it", () => {
    const cost = createCostAccumulator({ price: ownedPrice })
    cost.add(generationOf(), 1)
    const slow = unknown("run too short")
    expect(figureValue(cost.figures({ tokensPerSecond: slow }, 3_600_000).totalUsd)).toBeCloseTo(2.15, 9)
    expect(cost.figures({ tokensPerSecond: slow }, null).totalUsd.status).toBe("unknown")
  })
})
