import { custom } from "evalkit"
import type { ProviderSession } from "evalkit/providers"
import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { type BenchTarget, measureLevel } from "../../src/bench/measure-level.ts"
import { coldStart, connectionsUnderWay, warmConnections } from "../../src/bench/warm-up.ts"
import { parseSlo } from "../../src/perf/bench/slo.ts"
import type { LoadPlan } from "../../src/perf/load/load-plan.ts"
import { tokenPrice } from "../cost/generations.ts"
import { type FakeService, fakeSession, loadDefaults } from "./fake-session.ts"

const message = (content: string) => ({ messages: [{ role: "user" as const, content }], parameters: {} })

function targetOf(name: string, session: ProviderSession, changes: Partial<BenchTarget> = {}): BenchTarget {
  return {
    name,
    session,
    price: tokenPrice,
    requestOf: (index) => message(`measured ${index}`),
    warmUpRequestOf: (index) => message(`warm-up ${index}`),
    ...changes,
  }
}

async function measure(
  targets: readonly BenchTarget[],
  plan: LoadPlan,
  options: { blocks?: number; slo?: string } = {},
) {
  return measureLevel({
    ...loadDefaults,
    targets,
    plan,
    blocks: options.blocks ?? 1,
    slo: options.slo ? parseSlo(options.slo) : [],
    signal: new AbortController().signal,
    calibrate: async () => null,
  })
}

const correct = custom({ name: "correct", direction: "higher", measure: () => 1 })

function rowOf(index: number, value: number) {
  return { sampleId: `s${index}`, repeat: 0, measured: { status: "scored", row: value } as const, value }
}

const steady: FakeService = { firstMs: 10, intervalMs: 1, tokens: 5 }

describe("a level of load", () => {
  it("gives the truth of a service that it knows", async () => {
    const [level] = await measure(
      [
        targetOf(
          "a",
          fakeSession(() => steady),
        ),
      ],
      { kind: "closed", concurrency: 4, requests: 36 },
    )
    expect(level).toMatchObject({ variant: "a", requests: 36, answered: 36, outcomes: { ok: 36 }, peakInFlight: 4 })
    expect(figureValue(level?.speed.ttftMs.p50)).toBeCloseTo(10, 6)
    expect(figureValue(level?.speed.tpotMs.p50)).toBeCloseTo(1, 6)
    expect(figureValue(level?.speed.e2eMs.p50)).toBeCloseTo(14, 6)
    expect(level?.speed.systemTokensPerSecond.status).toBe("known")
  })

  it("says what its session noted: what the endpoint refused", async () => {
    const noted = { ...fakeSession(() => steady), notes: () => ["ignore_eos: refused by the endpoint"] }
    const [level] = await measure([targetOf("a", noted, { remarks: ["first"] })], {
      ...{ kind: "closed", concurrency: 1, requests: 2 },
    })
    expect(level?.remarks).toEqual(["first", "ignore_eos: refused by the endpoint"])
  })

  it("counts failures in the denominators of SLO attainment and availability", async () => {
    const serve = (index: number): FakeService =>
      index % 4 === 0 ? { ...steady, outcome: "truncated" } : index % 4 === 1 ? { ...steady, firstMs: 40 } : steady
    const plan: LoadPlan = { kind: "closed", concurrency: 1, requests: 20 }
    const [level] = await measure([targetOf("a", fakeSession(serve))], plan, { slo: "ttft<20ms" })
    expect(figureValue(level?.availability)).toBe(0.75)
    expect(figureValue(level?.sloAttainment)).toBe(0.5)
    expect(level?.speed.measured).toBe(15)
  })

  it("asks for quality as well as speed in correct SLO attainment", async () => {
    const target = targetOf(
      "a",
      fakeSession(() => steady),
      {
        metrics: [correct],
        primary: correct.name,
        score: async (_, index) => ({ rows: [rowOf(index, index % 5 === 0 ? 0 : 1)] }),
      },
    )
    const [level] = await measure([target], { kind: "closed", concurrency: 2, requests: 20 }, { slo: "ttft<20ms" })
    expect(figureValue(level?.sloAttainment)).toBe(1)
    expect(figureValue(level?.correctSloAttainment)).toBe(0.8)
    expect(figureValue(level?.quality)).toBe(0.8)
    expect(figureValue(level?.cost.perCorrectUsd)).toBeGreaterThan(figureValue(level?.cost.perQueryUsd) as number)
  })

  it("takes an answer for correct from the middle of the primary metric's range on, whichever way is better", async () => {
    const graded = (direction: "higher" | "lower") =>
      targetOf(
        direction,
        fakeSession(() => steady),
        {
          metrics: [custom({ name: "grade", range: [1, 5], direction, measure: () => 1 })],
          primary: "grade",
          score: async (_, index) => ({ rows: [rowOf(index, 1 + (index % 5))] }),
        },
      )
    const plan: LoadPlan = { kind: "closed", concurrency: 2, requests: 20 }
    const levels = await measure([graded("higher"), graded("lower")], plan)
    // Of the grades 1 to 5, three are in the better half either way.
    for (const level of levels) {
      expect(figureValue(level.correctSloAttainment)).toBe(0.6)
      expect(figureValue(level.quality)).toBe(3)
    }
  })

  it("leaves correct SLO attainment unknown when no answer could be scored, and 0 when none came", async () => {
    const scoring = { metrics: [correct], primary: correct.name }
    const unscored = { status: "unscored", code: "judge_failed", reason: "judge_failed" } as const
    const score: BenchTarget["score"] = async (_, index) => ({
      rows: [{ ...rowOf(index, 0), measured: unscored, value: null }],
    })
    const plan: LoadPlan = { kind: "closed", concurrency: 1, requests: 4 }
    const silent = targetOf(
      "silent",
      fakeSession(() => steady),
      { ...scoring, score },
    )
    const dead = targetOf(
      "dead",
      fakeSession(() => ({ ...steady, outcome: "connection" })),
      { ...scoring, score },
    )
    const [first, second] = await measure([silent, dead], plan)
    expect(first?.correctSloAttainment).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("no answer has a score"),
    })
    expect(first?.metrics[0]).toMatchObject({ scored: 0, unscored: 4 })
    expect(figureValue(second?.correctSloAttainment)).toBe(0)
  })

  it("scores after the last block of every target, and keeps what judges used apart", async () => {
    const order: string[] = []
    const target = (name: string) =>
      targetOf(
        name,
        fakeSession(() => steady),
        {
          requestOf: () => {
            order.push(name)
            return message("")
          },
          metrics: [correct],
          primary: correct.name,
          async score(_, index) {
            order.push("score")
            const usage = { promptTokens: 100, completionTokens: 10, cachedPromptTokens: null, reasoningTokens: null }
            const judgeCalls = [
              { replayed: false, usage, usd: 0.01 },
              { replayed: true, usage, usd: 0 },
            ]
            return { rows: [rowOf(index, 1)], judgeCalls }
          },
        },
      )
    const plan: LoadPlan = { kind: "closed", concurrency: 1, requests: 4 }
    const [a] = await measure([target("a"), target("b")], plan, { blocks: 2 })
    expect(order.join(" ")).toBe(`a a b b a a b b${" score".repeat(8)}`)
    expect(a?.judges).toMatchObject({
      calls: 4,
      replayed: 4,
      promptTokens: { value: 400 },
      completionTokens: { value: 40 },
      usd: { value: 0.04 },
    })
    expect(figureValue(a?.tokens.completion)).toBe(20)
    expect(figureValue(a?.cost.judgeUsd)).toBe(0.04)
  })

  it("knows no SLO attainment without an objective and no correct one without a metric", async () => {
    const [level] = await measure(
      [
        targetOf(
          "a",
          fakeSession(() => steady),
        ),
      ],
      { kind: "closed", concurrency: 1, requests: 2 },
    )
    expect(level?.sloAttainment.status).toBe("unknown")
    expect(level?.correctSloAttainment.status).toBe("unknown")
  })

  it("measures variants in turn, each with its own requests in order", async () => {
    const order: string[] = []
    const target = (name: string) =>
      targetOf(
        name,
        fakeSession(() => steady),
        {
          requestOf: (index) => {
            order.push(`${name}${index}`)
            return message("")
          },
        },
      )
    const plan: LoadPlan = { kind: "closed", concurrency: 1, requests: 6 }
    const levels = await measure([target("a"), target("b")], plan, { blocks: 3 })
    expect(order.join(" ")).toBe("a0 a1 b0 b1 a2 a3 b2 b3 a4 a5 b4 b5")
    expect(levels.map(({ variant, requests }) => [variant, requests])).toEqual([
      ["a", 6],
      ["b", 6],
    ])
  })

  it("sees a service that becomes slower from block to block", async () => {
    const session = fakeSession((index) => ({ firstMs: 5 + Math.floor(index / 12) * 5 }))
    const [level] = await measure(
      [targetOf("a", session)],
      { kind: "closed", concurrency: 1, requests: 36 },
      { blocks: 3 },
    )
    expect(level?.drift.status).toBe("failed")
  })

  it("calibrates the client at the load that it saw", async () => {
    const loads: object[] = []
    await measureLevel({
      ...loadDefaults,
      targets: [
        targetOf(
          "a",
          fakeSession(() => ({ firstMs: 5, intervalMs: 3, tokens: 4 })),
        ),
      ],
      plan: { kind: "closed", concurrency: 3, requests: 6 },
      blocks: 1,
      slo: [],
      signal: new AbortController().signal,
      calibrate: async (load) => {
        loads.push(load)
        return null
      },
    })
    expect(loads).toEqual([{ concurrency: 3, chunkIntervalMs: expect.closeTo(3, 6) }])
  })

  it("reports offered and achieved rates of an open loop", async () => {
    const arrivals = Float64Array.from({ length: 30 }, (_, i) => i * 5)
    const plan: LoadPlan = { kind: "open", arrivals, description: "constant" }
    const [level] = await measure(
      [
        targetOf(
          "a",
          fakeSession(() => ({ firstMs: 2 })),
        ),
      ],
      plan,
    )
    expect(level?.offeredRate).toBeCloseTo(200, 6)
    expect(figureValue(level?.achievedRate)).toBeGreaterThan(0)
    expect(figureValue(level?.lagMs.p50)).toBeGreaterThanOrEqual(0)
  })
})

describe("the warm-up", () => {
  it("opens connections for what an open loop will have under way, and for no more than it could", () => {
    const second = Array.from({ length: 1001 }, (_, i) => i)
    const plan = { kind: "open", arrivals: Float64Array.from(second), description: "" } as const
    expect(connectionsUnderWay(plan, 1000)).toBe(1208)
    expect(connectionsUnderWay(plan, null)).toBe(8)
    expect(connectionsUnderWay(plan, 60_000)).toBe(2048)
    expect(connectionsUnderWay({ ...plan, arrivals: Float64Array.of(0) }, 1000)).toBe(8)
  })

  const options = { ...loadDefaults, signal: new AbortController().signal }

  it("measures the first request alone and opens the other connections with prompts of their own", async () => {
    const prompts: string[] = []
    const target = targetOf(
      "a",
      fakeSession((index) => ({ firstMs: index === 0 ? 30 : 2 })),
      {
        warmUpRequestOf: (index) => {
          prompts.push(`warm-up ${index}`)
          return message("")
        },
      },
    )
    const cold = await coldStart({ ...options, target })
    await warmConnections({ ...options, target }, 3, 1)
    expect(cold).toMatchObject({ outcome: "ok", failure: null, ttftMs: expect.closeTo(30, 6) })
    expect(prompts).toEqual(["warm-up 0", "warm-up 1", "warm-up 2", "warm-up 3"])
  })

  it("says how a first request failed", async () => {
    const session = fakeSession(() => ({ firstMs: 1, outcome: "http_5xx" }))
    expect(await coldStart({ ...options, target: targetOf("a", session) })).toMatchObject({ outcome: "http_5xx" })
  })
})
