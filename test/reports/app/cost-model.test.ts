import { describe, expect, it } from "vitest"
import { breakEvens, costParts, monthlyBill } from "../../../reports/wording/cost-model.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import { pricedReport } from "../../support/priced-report.ts"

const { variants } = pricedReport()
const named = (name: string) => variants.find((variant) => variant.name === name) as VariantReport
const amounts = (variant: VariantReport) =>
  Object.fromEntries(costParts(variant).map(({ id, usd }) => [id, usd === null ? null : figureValue(usd)]))

describe("the parts of a bill", () => {
  it("add up to what the run cost, reasoning inside the answers and judges apart", () => {
    const parts = amounts(named("hosted-70b"))
    const sum = ["input", "cachedInput", "output", "failedAttempts"].reduce((all, id) => all + (parts[id] ?? 0), 0)
    expect(sum).toBeCloseTo(figureValue(named("hosted-70b").cost.totalUsd) ?? 0, 12)
    expect(parts.reasoning).toBeCloseTo((0.186 * 2000) / 5850, 12)
    expect(parts.hardware).toBeNull()
  })

  it("name every class that a service billed, with its tokens, and leave it out of the text of the prompt", () => {
    const hosted = named("hosted-70b")
    const figure = (value: number) => ({ status: "known", value, n: 50, method: "sum" }) as const
    const variant: VariantReport = {
      ...hosted,
      tokens: {
        ...hosted.tokens,
        prompt: figure(10_000),
        cachedPrompt: figure(2000),
        others: { cacheWrite1h: figure(3000), imageInput: figure(1000), audioOutput: figure(40) },
      },
      cost: { ...hosted.cost, parts: { ...hosted.cost.parts, cacheWrite1h: 0.018, webSearch: 0.02 } },
    }
    const rows = Object.fromEntries(
      costParts(variant).map(({ id, title, tokens, usd }) => [
        id,
        [title, tokens && figureValue(tokens), usd && figureValue(usd)],
      ]),
    )
    expect(rows.input?.[1]).toBe(4000)
    expect(rows.cacheWrite1h).toEqual(["cache writes, 1 h", 3000, 0.018])
    expect(rows.imageInput).toEqual(["images of the prompt", 1000, null])
    expect(rows.audioOutput).toEqual(["audio of the answer", 40, null])
    expect(rows.webSearch).toEqual(["web search", null, 0.02])
  })

  it("are the hardware alone where time is paid for", () => {
    const { hardware, output, judges } = amounts(named("m-q8_0"))
    expect(hardware).toBeCloseTo(figureValue(named("m-q8_0").cost.totalUsd) ?? 0, 12)
    expect([output, judges]).toEqual([null, 0])
  })
})

describe("the bill of a month", () => {
  it("is the price of a request times the requests, or whole units of hardware", () => {
    expect(figureValue(monthlyBill(named("hosted-70b"), 1e6))).toBeCloseTo(344, 9)
    expect(figureValue(monthlyBill(named("m-q8_0"), 1e6))).toBeCloseTo(0.2 * 730.5, 9)
    expect(figureValue(monthlyBill(named("m-q8_0"), 1e9))).toBeGreaterThan(0.2 * 730.5)
  })

  it("breaks even where both cost the same", () => {
    const [first, ...rest] = breakEvens(variants)
    expect(first).toMatchObject({ hardware: "m-f16", api: "hosted-70b" })
    expect(rest).toHaveLength(4)
    const requests = figureValue(first?.requests)
    expect(figureValue(monthlyBill(named("hosted-70b"), requests ?? 0))).toBeCloseTo(0.2 * 730.5, 9)
  })
})
