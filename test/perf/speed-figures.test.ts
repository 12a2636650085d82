import type { Generation } from "evalkit"
import { outcomes } from "evalkit/providers"
import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { answerLatency } from "../../src/perf/answer-latency.ts"
import { createSpeedAccumulator, type SpeedOptions } from "../../src/perf/speed-figures.ts"
import { generationOf, logOf } from "./logs.ts"

const usage = { promptTokens: 5, cachedPromptTokens: null, completionTokens: 20, reasoningTokens: null }

/** Twenty tokens, the first after 200 ms, then one each 10 ms. */
function answerAt(sendMs: number, changes: Partial<Generation> = {}): Generation {
  const events = Array.from({ length: 20 }, (_, i) => ({ atMs: sendMs + 200 + 10 * i }))
  return generationOf(logOf(events, { sendMs, endMs: sendMs + 390 }), { usage, ...changes })
}

function speedOf(generations: readonly Generation[], options?: SpeedOptions) {
  const speed = createSpeedAccumulator(options)
  for (const generation of generations) speed.add(generation)
  return speed
}

describe("speed figures of a run", () => {
  const lockstep = Array.from({ length: 160 }, (_, i) => answerAt(Math.floor(i / 8) * 390))

  it("reports the truth of a server with 200 ms to the first token and 10 ms a token", () => {
    const { ttftMs, e2eMs, tpotMs, itlMs, outputTokensPerSecond } = speedOf(lockstep).figures()
    expect([ttftMs, e2eMs, tpotMs, itlMs, outputTokensPerSecond].map((d) => figureValue(d.p50))).toEqual([
      200, 390, 10, 10, 100,
    ])
    expect(ttftMs.percentiles).toHaveLength(101)
    expect(ttftMs.p99).toMatchObject({ n: 160, high: null, warning: "n too small: p99 needs 459" })
  })

  it("knows the longest answer that was measured, and not of one that failed", () => {
    const longer = { usage: { ...usage, completionTokens: 31 } }
    expect(speedOf([answerAt(0), answerAt(500, longer)]).figures().longestTokens).toBe(31)
    expect(speedOf([answerAt(0), answerAt(500, { ...longer, outcome: "timeout_total" })]).figures().longestTokens).toBe(
      20,
    )
    // Nor of one whose latency counts nowhere.
    const late = answerAt(500, longer)
    const stalled = { ...late, log: { ...late.log, stalledMs: 5000 } }
    expect(speedOf([answerAt(0), stalled]).figures().longestTokens).toBe(20)
    expect(speedOf([answerAt(0, { source: "replayed" })]).figures()).not.toHaveProperty("longestTokens")
  })

  it("takes the decode speed of answers that came in one burst from the server's timings, and marks it", () => {
    const timings = { prompt_n: 5, prompt_ms: 100, predicted_n: 21, predicted_ms: 40 }
    const burst = (sendMs: number, server: Generation["server"]) => {
      const events = Array.from({ length: 20 }, () => ({ atMs: sendMs + 150 }))
      return generationOf(logOf(events, { sendMs, endMs: sendMs + 151 }), { usage, server })
    }
    const stated = speedOf([0, 200, 400].map((atMs) => burst(atMs, { timings }))).figures()
    expect(stated.outputTokensPerSecond.p50).toMatchObject({ value: 500, by: "server", n: 3 })
    expect(stated.tpotMs.p50.status).toBe("unknown")
    expect(stated.server).toMatchObject({ answers: 3, source: "llama.cpp" })
    expect(figureValue(stated.server?.networkMs?.p50)).toBe(50)
    // The chunks came 36 ms faster than the server wrote all but the last two of them: they were held back.
    expect(figureValue(stated.server?.streamLessDecodeMs?.p50)).toBe(-36)
    const unstated = speedOf([burst(0, null)]).figures()
    expect(unstated.outputTokensPerSecond.p50.status).toBe("unknown")
    expect(unstated.server).toBeUndefined()
    const paced = [500, 900].map((atMs) => answerAt(atMs, { server: { timings } }))
    // One source for all answers of a variant: the one that knows more of them.
    expect(speedOf([...paced, burst(0, { timings })]).figures().outputTokensPerSecond.p50).toMatchObject({
      value: 500,
      by: "server",
      n: 3,
    })
    const byClient = speedOf(paced).figures().outputTokensPerSecond.p50
    expect(byClient).toMatchObject({ value: 100, n: 2 })
    expect(byClient).not.toHaveProperty("by")
  })

  it("keeps answers out of every percentile during which the client stood still, and counts them", () => {
    const late = lockstep
      .slice(0, 3)
      .map((answer) => ({ ...answer, log: { ...answer.log, sendMs: -5000, stalledMs: 5000 } }))
    const { stalled, measured, e2eMs } = speedOf([...lockstep, ...late]).figures()
    expect({ stalled, measured, p99: figureValue(e2eMs.p99) }).toEqual({ stalled: 3, measured: 160, p99: 390 })
    expect(speedOf(lockstep).figures()).not.toHaveProperty("stalled")
    expect(speedOf(late).figures().e2eMs.p50).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("was stalled"),
    })
    expect(answerLatency(late[0] as Generation)).toEqual({ ttftMs: null, e2eMs: null, tpotMs: null })
  })

  it("times the first token of the answer apart from the first thought, where thinking was streamed", () => {
    expect(speedOf(lockstep).figures()).not.toHaveProperty("ttftAnyMs")
    const thinking = lockstep.map((answer) => ({
      ...answer,
      log: {
        ...answer.log,
        events: answer.log.events.map((event, i) => ({ ...event, kind: i < 5 ? ("reasoning" as const) : event.kind })),
      },
    }))
    const { ttftMs, ttftAnyMs } = speedOf(thinking).figures()
    expect([ttftAnyMs?.p50, ttftMs.p50].map((figure) => figure && figureValue(figure))).toEqual([200, 250])
  })

  it("takes system throughput over the window in which every slot was busy", () => {
    // eight slots, twenty tokens each 390 ms
    const figures = speedOf(lockstep, { slots: 8 }).figures()
    expect(figureValue(figures.systemTokensPerSecond)).toBeCloseTo((8 * 20) / 0.39, 6)
    expect(figureValue(figures.requestsPerSecond)).toBeCloseTo(8 / 0.39, 6)
  })

  it("is not biased by where the window ends", () => {
    // 60 requests in eight slots: the plan runs out in the middle of a round
    const figures = speedOf(lockstep.slice(0, 60), { slots: 8 }).figures()
    expect(figureValue(figures.systemTokensPerSecond)).toBeCloseTo((8 * 20) / 0.39, 6)
    const later = Array.from({ length: 69 }, (_, i) => answerAt(Math.floor(i / 8) * 390 + (i % 8) * 40))
    expect(figureValue(speedOf(later, { slots: 8 }).figures().systemTokensPerSecond)).toBeCloseTo((8 * 20) / 0.39, 6)
  })

  it("says so when the run was too short to have such a window", () => {
    const once = Array.from({ length: 8 }, () => answerAt(0))
    const reason = expect.stringContaining("run too short")
    expect(speedOf(once, { slots: 8 }).figures().systemTokensPerSecond).toMatchObject({ status: "unknown", reason })
    expect(speedOf(once, { slots: 9 }).figures().requestsPerSecond).toMatchObject({ status: "unknown", reason })
  })

  it("adds up the windows of segments, whose clocks start anew", () => {
    const second = lockstep.map((generation) => ({ ...generation, segment: 1 }))
    const figures = speedOf([...lockstep, ...second], { slots: 8 }).figures()
    expect(figureValue(figures.systemTokensPerSecond)).toBeCloseTo((8 * 20) / 0.39, 6)
    expect(figures.overTime.reduce((sum, second) => sum + second.tokens, 0)).toBe(320 * 20)
    expect(figures.overTime.map(({ second }) => second)).toEqual(figures.overTime.map((_, i) => i))
  })

  it("does not invent a throughput when answers come without token counts", () => {
    const uncounted = lockstep.map((generation) => ({
      ...generation,
      usage: { ...generation.usage, completionTokens: null },
    }))
    const figures = speedOf(uncounted).figures()
    expect(figures.systemTokensPerSecond).toMatchObject({ status: "unknown" })
    expect(figureValue(figures.requestsPerSecond)).toBeGreaterThan(0)
    expect(figures.tpotMs.p50).toMatchObject({ status: "unknown" })
  })

  it("knows no throughput when nothing was answered, instead of 0", () => {
    const failed = lockstep.map((generation) => ({ ...generation, outcome: "http_5xx" as const }))
    expect(speedOf(failed, { slots: 8 }).figures().systemTokensPerSecond).toMatchObject({ status: "unknown" })
  })

  it("lets what came to an end enter latency, and every class that is the variant's own enter availability", () => {
    const slow = logOf([{ atMs: 9000 }])
    for (const outcome of outcomes) {
      const speed = speedOf([answerAt(0), generationOf(slow, { outcome, usage })])
      // An episode that came to a limit took its time; what is not the variant's says nothing of its availability.
      const answered = outcome === "ok" || outcome === "length"
      const timed = answered || outcome === "step_limit" || outcome === "turn_limit"
      expect(speed.figures().measured).toBe(timed ? 2 : 1)
      const cancelled = ["cancelled", "batch_cancelled", "user_failed"].includes(outcome)
      expect(figureValue(speed.availability())).toBe(cancelled || answered ? 1 : 0.5)
      expect(speed.outcomes()).toMatchObject(outcome === "ok" ? { ok: 2 } : { ok: 1, [outcome]: 1 })
    }
  })

  it("keeps replayed answers out of every percentile and counts them apart", () => {
    const speed = speedOf([answerAt(0), generationOf(logOf([{ atMs: 1 }]), { source: "replayed", usage })])
    expect(speed.figures()).toMatchObject({ measured: 1, replayed: 1 })
    expect(figureValue(speed.figures().ttftMs.mean)).toBe(200)
    expect(figureValue(speed.responseCacheHitRate())).toBe(0.5)
  })

  it("names the reason when there is nothing to measure", () => {
    const replayed = speedOf([answerAt(0, { source: "replayed" })])
    expect(replayed.figures().ttftMs.p50).toEqual({
      status: "unknown",
      reason: "every answer was replayed from the cache",
    })
    expect(replayed.availability().status).toBe("unknown")
  })

  it("bounds availability with a Wilson interval", () => {
    const speed = speedOf(Array.from({ length: 5 }, () => answerAt(0)))
    expect(speed.availability()).toMatchObject({ value: 1, high: 1 })
    expect(speed.availability()).toHaveProperty("low", expect.closeTo(0.5655, 4))
  })
})

describe("the latency of one answer", () => {
  it("is null when it was replayed or failed", () => {
    expect(answerLatency(answerAt(0))).toEqual({ ttftMs: 200, e2eMs: 390, tpotMs: 10 })
    const none = { ttftMs: null, e2eMs: null, tpotMs: null }
    expect(answerLatency(answerAt(0, { source: "replayed" }))).toEqual(none)
    expect(answerLatency(answerAt(0, { outcome: "truncated" }))).toEqual(none)
  })
})
