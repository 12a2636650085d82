import { describe, expect, it } from "vitest"
import { unsentLog } from "../../src/core/bare-answer.ts"
import { answerCostUsd, costOfGeneration, costOfUsage, maxCallCostUsd } from "../../src/cost/cost-of-usage.ts"
import { attemptOf, generationOf, hourlyPrice, tokenPrice, usageOf } from "./generations.ts"

describe("the cost of a call", () => {
  it("prices cached prompt tokens at their own rate", () => {
    // 600 × 2.50 + 400 × 0.25 + 200 × 15 = 1500 + 100 + 3000 dollars per million
    const cost = costOfUsage(usageOf(1000, 200, 400), tokenPrice)
    expect(cost).toEqual({ status: "known", usd: 0.0046, parts: { input: 0.0015, cachedInput: 0.0001, output: 0.003 } })
  })

  it("charges the full rate where the provider states no cached rate or reports no cached tokens", () => {
    const full = { status: "known", usd: 0.0055 }
    expect(costOfUsage(usageOf(1000, 200, 400), { ...tokenPrice, cachedInputPerMillion: null })).toMatchObject(full)
    expect(costOfUsage(usageOf(1000, 200), tokenPrice)).toMatchObject(full)
  })

  it("does not add reasoning tokens, which are inside the completion", () => {
    const usage = { ...usageOf(1000, 200), reasoningTokens: 150 }
    expect(costOfUsage(usage, tokenPrice)).toMatchObject({ usd: 0.0055 })
  })

  it("takes the batch discount off", () => {
    expect(costOfUsage(usageOf(1000, 200), tokenPrice, { batch: true })).toMatchObject({ usd: 0.00275 })
  })

  it("is unknown, never 0, without a price or without usage", () => {
    expect(costOfUsage(usageOf(1000, 200), null).status).toBe("unknown")
    expect(costOfUsage(usageOf(null, 200), tokenPrice).status).toBe("unknown")
    expect(costOfUsage(usageOf(1000, null), tokenPrice).status).toBe("unknown")
    expect(costOfUsage(usageOf(1000, 200), hourlyPrice).status).toBe("unknown")
  })

  it("bills what was cached and of pictures alike once, and not where the two cost differently", () => {
    const usage = { ...usageOf(100, 10, 90), imagePromptTokens: 80 }
    const price = { ...tokenPrice, inputPerMillion: 1, cachedInputPerMillion: 0.1, outputPerMillion: 12 }
    // 10 fresh × 1 + 90 cached × 0.1 + 10 × 12 = 139 dollars per million
    expect(costOfUsage(usage, { ...price, imageInputPerMillion: 1 })).toMatchObject({ usd: 0.000139 })
    expect(costOfUsage(usage, { ...price, imageInputPerMillion: 2 }).status).toBe("unknown")
    expect(costOfUsage(usage, price).status).toBe("unknown")
    const cached = { ...usage, cachedPromptTokens: 20 }
    expect(costOfUsage(cached, { ...price, imageInputPerMillion: 2 })).toMatchObject({ usd: 0.000282 })
  })
})

describe("what the service states that it charged", () => {
  const charged = { ...usageOf(1000, 200), chargedUsd: 0.00042 }

  it("is the cost where no price is known", () => {
    expect(costOfUsage(charged, null)).toEqual({ status: "known", usd: 0.00042, parts: { charged: 0.00042 } })
    expect(costOfUsage({ ...charged, chargedUsd: 0 }, null)).toMatchObject({ status: "known", usd: 0 })
  })

  it("gives way to a price that somebody stated", () => {
    expect(costOfUsage(charged, tokenPrice)).toMatchObject({ usd: 0.0055 })
  })

  it("leaves refused attempts free, and attempts that broke off on the way unknown", () => {
    const costAfter = (retry: Parameters<typeof attemptOf>[0]) =>
      costOfGeneration(generationOf({ usage: charged, retries: [attemptOf(retry)] }), null)
    expect(costAfter("rate_limited")).toMatchObject({ usd: 0.00042, parts: { charged: 0.00042, failedAttempts: 0 } })
    expect(costAfter("timeout_total")).toMatchObject({ status: "unknown" })
  })
})

describe("the cost of a judge's answer", () => {
  const traits = { service: null }
  const judge = { kind: "openai", traits, endpoint: "api.openai.com", model: "gpt-4.1-mini" }
  const answer = { usage: usageOf(1000, 200), outcome: "ok", log: unsentLog(0, 0) } as const

  it("follows the price book: 1,000 × 0.40 + 200 × 1.60 dollars per million", () => {
    expect(answerCostUsd(judge, answer)).toBeCloseTo(0.00072, 12)
  })

  it("holds the attempts that failed before it, and is unknown when one of them is", () => {
    expect(answerCostUsd(judge, answer, [attemptOf("http_5xx", usageOf(null, null))])).toBeCloseTo(0.00072, 12)
    expect(answerCostUsd(judge, answer, [attemptOf("truncated", usageOf(1000, 100))])).toBeCloseTo(0.00128, 12)
    expect(answerCostUsd(judge, answer, [attemptOf("timeout_total", usageOf(null, null))])).toBeNull()
  })

  it("follows the provider's own price before the book, and is unknown without either", () => {
    expect(answerCostUsd({ ...judge, price: tokenPrice }, answer)).toBeCloseTo(0.0055, 12)
    expect(answerCostUsd({ ...judge, price: null }, answer)).toBeNull()
    expect(answerCostUsd({ ...judge, endpoint: "127.0.0.1:8000" }, answer)).toBeNull()
  })
})

describe("the cost of an answer with failed attempts", () => {
  it("adds what failed attempts used, as a part of its own", () => {
    const retries = [attemptOf("truncated", usageOf(1000, 100)), attemptOf("rate_limited")]
    // 1000 × 2.50 + 100 × 15 = 4000 dollars per million, a 429 is free
    expect(costOfGeneration(generationOf({ retries }), tokenPrice)).toMatchObject({
      usd: expect.closeTo(0.0095, 12),
      parts: { failedAttempts: 0.004 },
    })
  })

  it("costs nothing when the service refused every attempt before it generated anything", () => {
    const refused = generationOf({ outcome: "http_5xx", usage: usageOf(null, null) })
    expect(costOfGeneration(refused, tokenPrice)).toMatchObject({ status: "known", usd: 0 })
    expect(costOfGeneration(refused, null).status).toBe("unknown")
  })

  it("is unknown when an attempt broke off on the way and nobody reported its tokens", () => {
    const generation = generationOf({ retries: [attemptOf("timeout_total")] })
    expect(costOfGeneration(generation, tokenPrice)).toMatchObject({ status: "unknown" })
  })
})

describe("a cost that is known in part", () => {
  const { cachedInputPerMillion: _cached, ...price } = tokenPrice
  const usage = usageOf(1000, 200, 400)

  it("is unknown, names the class, and says what the rest costs", () => {
    // 600 × 2.50 + 200 × 15 = 4500 dollars per million
    expect(costOfUsage(usage, price)).toEqual({
      status: "unknown",
      reason: "no rate is stated for 400 cached prompt tokens",
      atLeastUsd: 0.0045,
    })
  })

  it("keeps its lower bound beside failed attempts", () => {
    const retries = [attemptOf("truncated", usageOf(1000, 100)), attemptOf("rate_limited")]
    // and 1000 × 2.50 + 100 × 15 = 4000
    expect(costOfGeneration(generationOf({ usage, retries }), price)).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("400 cached prompt tokens"),
      atLeastUsd: expect.closeTo(0.0085, 12),
    })
    const broken = generationOf({ retries: [attemptOf("timeout_total")] })
    expect(costOfGeneration(broken, price)).toMatchObject({ atLeastUsd: expect.closeTo(0.0055, 12) })
  })

  it("is what the service says that it charged, where it does", () => {
    expect(costOfUsage({ ...usage, chargedUsd: 0.0047 }, price)).toMatchObject({ status: "known", usd: 0.0047 })
  })
})

describe("the most that a call may cost", () => {
  const call = { promptTokens: 1000, completionTokens: 200 }

  it("counts a prompt that the service may write into its cache, and the tier that was asked for", () => {
    expect(maxCallCostUsd(call, tokenPrice)).toBeCloseTo(0.0055, 12)
    expect(maxCallCostUsd(call, { ...tokenPrice, cacheWritePerMillion: 3 })).toBeCloseTo(0.006, 12)
    const tiers = { ...tokenPrice, serviceTiers: { priority: 2, flex: 0.5 } }
    expect(maxCallCostUsd({ ...call, serviceTier: "priority" }, tiers)).toBeCloseTo(0.011, 12)
    const flex = maxCallCostUsd({ ...call, serviceTier: "flex" }, tiers)
    expect(flex, "a flex call may be served as any other").toBeCloseTo(0.0055, 12)
    expect(maxCallCostUsd({ ...call, serviceTier: "auto" }, tiers)).toBeCloseTo(0.0055, 12)
  })

  it("counts what it asks to be written into the cache, by its lifetime", () => {
    // $2.50 and $15 per million; writes 1.25 and 2 times the input: 1,000 tokens at $3.125 or $5.
    const writes = { ...tokenPrice, cacheWrite5mPerMillion: 3.125, cacheWrite1hPerMillion: 5 }
    expect(maxCallCostUsd(call, writes)).toBeCloseTo(0.0055, 12)
    expect(maxCallCostUsd({ ...call, promptCache: "5m" }, writes)).toBeCloseTo(0.006125, 12)
    expect(maxCallCostUsd({ ...call, promptCache: "1h" }, writes)).toBeCloseTo(0.008, 12)
  })

  it("is unknown without a price per token", () => {
    expect(maxCallCostUsd(call, null)).toBeNull()
    expect(maxCallCostUsd(call, hourlyPrice)).toBeNull()
  })
})
