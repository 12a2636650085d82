import type { Generation } from "evalkit"
import type { Attempt } from "evalkit/providers"
import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import type { Episode } from "../../src/core/episode/episode.ts"
import type { EpisodeStep } from "../../src/core/episode/step.ts"
import { createReliability } from "../../src/perf/reliability.ts"
import { generationOf, logOf } from "./logs.ts"

const usage = { promptTokens: 1, cachedPromptTokens: null, completionTokens: 1, reasoningTokens: null }

function attempt(outcome: Attempt["outcome"], endMs: number): Attempt {
  return { outcome, log: logOf([], { sendMs: endMs - 10, endMs }), httpStatus: null, failure: null, usage }
}

function answer(endMs: number, changes: Partial<Generation> = {}): Generation {
  return generationOf(logOf([{ atMs: endMs }], { sendMs: endMs - 20, endMs }), { usage, ...changes })
}

function figures(...generations: readonly Generation[]) {
  const reliability = createReliability()
  for (const generation of generations) reliability.add(generation)
  return reliability.figures()
}

describe("reliability of a service", () => {
  it("counts attempts apart from requests, by how they failed", () => {
    const result = figures(
      answer(100, { retries: [attempt("http_5xx", 40), attempt("timeout_gap", 70)] }),
      answer(130),
      answer(190, { outcome: "http_5xx", retries: [attempt("http_5xx", 160)] }),
    )
    expect(result).toMatchObject({ requests: 3, answered: 2, failed: 1, attempts: 6, failedAttempts: 4 })
    expect(result?.failuresByClass).toEqual({ http_5xx: 3, timeout_gap: 1 })
    expect(result && figureValue(result.attemptFailures)).toBeCloseTo(4 / 6, 12)
  })

  it("takes what the account's rate limit refused for no failure of the service", () => {
    const result = figures(answer(100, { retries: [attempt("rate_limited", 40)] }))
    expect(result).toMatchObject({ attempts: 1, failedAttempts: 0, rateLimited: 1 })
  })

  it("takes a refusal or an empty answer for an attempt that did not fail", () => {
    expect(figures(answer(100, { outcome: "refused" }), answer(120, { outcome: "empty" }))).toMatchObject({
      attempts: 2,
      failedAttempts: 0,
      answered: 2,
    })
  })

  it("counts no request that we cancelled or broke ourselves", () => {
    const result = figures(answer(100), answer(120, { outcome: "cancelled" }), answer(140, { outcome: "client_fault" }))
    expect(result).toMatchObject({ requests: 1, answered: 1, failed: 0, attempts: 1, failedAttempts: 0 })
  })

  it("counts each call of an episode's model as an attempt", () => {
    const step = (turn: number, retries: readonly Attempt[]) => ({
      ...{
        kind: "model",
        turn,
        text: "a",
        reasoning: "",
        toolCalls: [],
        finishReason: "stop",
        messages: 1,
        servedModel: null,
      },
      ...{ cost: { status: "known", usd: 0, parts: {} }, ...attempt("ok", 100 + turn), retries },
    })
    const steps = [step(0, []), step(1, [attempt("http_5xx", 60)]), step(2, [])] as unknown as EpisodeStep[]
    const episode = { steps, turns: 3 } as unknown as Episode
    const result = figures(answer(200, { episode, retries: [attempt("http_5xx", 60)] }))
    expect(result).toMatchObject({ requests: 1, answered: 1, attempts: 4, failedAttempts: 1 })
  })

  it("measures an outage from a failure to the next answer of any request", () => {
    // Down from 100 to 900, and one failure at 1,000 beside an answer at 1,010.
    const down = [100, 200, 400, 700].map((endMs) => answer(endMs, { outcome: "http_5xx" }))
    const result = figures(answer(50), ...down, answer(900), answer(1000, { outcome: "http_5xx" }), answer(1010))
    expect(result?.longestOutageMs).toMatchObject({ status: "known", value: 800, n: 2 })
    expect(result && figureValue(result.recoveryMs)).toBe(405)
  })

  it("says that an outage which no answer ended is at least as long as what was seen of it", () => {
    const result = figures(answer(50), answer(100, { outcome: "http_5xx" }), answer(400, { outcome: "http_5xx" }))
    expect(result?.longestOutageMs).toMatchObject({ value: 300, warning: expect.stringContaining("at least") })
    expect(result?.recoveryMs.status).toBe("unknown")
  })

  it("is unknown in its times where nothing failed, and absent where no model was called", () => {
    expect(figures(answer(100))?.longestOutageMs).toEqual({ status: "unknown", reason: "no attempt failed" })
    expect(figures(answer(100, { source: "replayed" }))).toBeNull()
  })
})
