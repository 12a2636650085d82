import { describe, expect, it } from "vitest"
import { hardwareUsdPerMonth, usdPerBusySecond, usdPerMillionTokens } from "../../src/cost/hardware.ts"
import { hourlyPrice, ownedPrice } from "./generations.ts"

describe("hardware", () => {
  it("costs $0.83 per million tokens at $3 an hour and 1,000 tokens a second", () => {
    expect(usdPerMillionTokens(hourlyPrice, 1000)).toBeCloseTo(0.8333, 4)
  })

  it("pays for its idle time and for every instance", () => {
    expect(usdPerMillionTokens({ ...hourlyPrice, utilisation: 0.25, instances: 2 }, 1000)).toBeCloseTo(6.6667, 4)
  })

  it("spreads a purchase over its life and adds power for busy time", () => {
    // $1 an hour at half utilisation is $2 a busy hour; 500 W at $0.30 per kWh is $0.15
    expect(usdPerBusySecond(ownedPrice) * 3600).toBeCloseTo(2.15, 12)
    expect(hardwareUsdPerMonth(ownedPrice)).toBeCloseTo(730.5 * (1 + 0.075), 9)
  })

  it("that is there anyway costs its power only", () => {
    // 350 W at $0.30 per kWh is $0.105 an hour; at 100 tokens a second $0.2917 per million
    const price = { kind: "electricity", watts: 350, usdPerKwh: 0.3, source: "a bill", date: "2026-11-01" } as const
    expect(usdPerBusySecond(price) * 3600).toBeCloseTo(0.105, 12)
    expect(usdPerMillionTokens(price, 100)).toBeCloseTo(0.29167, 5)
    expect(hardwareUsdPerMonth(price)).toBeCloseTo(730.5 * 0.105, 9)
    expect(hardwareUsdPerMonth({ ...price, utilisation: 0.5 })).toBeCloseTo(730.5 * 0.0525, 9)
  })
})
