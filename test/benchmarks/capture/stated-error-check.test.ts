import { describe, expect, it } from "vitest"
import { checkFigures } from "../../../benchmarks/capture/stated-error-check.ts"
import type { Answer } from "../../../src/core/generation.ts"
import { unknownUsage } from "../../../src/core/usage.ts"
import { generationFigures } from "../../../src/perf/answer-latency.ts"
import type { ClientError } from "../../../src/perf/client/self-calibration.ts"
import { distributionOf } from "../../../src/perf/distribution.ts"

const requests = 200

/** Requests each second, three chunks 100 ms apart from 200 ms on; the client stamps each of them late by as much as is said. */
function measured(lateMs: (request: number, chunk: number) => number, sentLateMs = 0) {
  const answers = new Map<string, Answer>()
  const truth = new Map<string, { readonly arrivalMs: number; readonly sendMs: readonly number[] }>()
  for (let i = 0; i < requests; i++) {
    const scheduledMs = 1000 * i
    const sendMs = scheduledMs + 0.1
    // Another clock: that of the server began 5,000 ms before, and the way to it takes 0.05 ms.
    const arrivalMs = 5000 + sendMs + 0.05 + (i % 50 === 7 ? sentLateMs : 0)
    const chunks = [200, 300, 400].map((ms) => arrivalMs + ms)
    truth.set(String(i), { arrivalMs, sendMs: chunks })
    const events = chunks.map((atMs, chunk) => ({
      atMs: atMs - 5000 + lateMs(i, chunk),
      kind: "content" as const,
      tokens: 1,
      bytes: 2,
    }))
    const log = { scheduledMs, sendMs, connectMs: null, headersMs: null, events, endMs: events[2]!.atMs }
    answers.set(String(i), { log, usage: { ...unknownUsage, completionTokens: 3 } } as unknown as Answer)
  }
  return { answers, truth }
}

function judge({ answers, truth }: ReturnType<typeof measured>, stated: Partial<ClientError> = {}) {
  const figures = [...answers.values()].map(generationFigures)
  const spread = (values: readonly (number | null)[]) =>
    distributionOf(Float64Array.from(values.filter((value) => value !== null)).sort(), "nothing")
  const level = {
    requests,
    clientError: { ttftMsP50: 0.2, ttftMsP99: 1, itlMsP50: 0.1, itlMsP99: 0.5, ...stated } as ClientError,
    lagMs: spread(figures.map(({ queueWaitMs }) => queueWaitMs)),
    speed: {
      ttftMs: spread(figures.map(({ ttftMs }) => ttftMs)),
      e2eMs: spread(figures.map(({ e2eMs }) => e2eMs)),
      itlMs: spread(figures.flatMap(({ itlMs }) => itlMs)),
      tpotMs: spread(figures.map(({ tpotMs }) => tpotMs)),
      outputTokensPerSecond: spread(figures.map(({ outputTokensPerSecond }) => outputTokensPerSecond)),
    },
  }
  const judged = checkFigures(level as unknown as Parameters<typeof checkFigures>[0], answers, truth)
  return { judged, failed: judged.filter(({ kept }) => !kept).map(({ figure }) => figure) }
}

describe("the check of figures against the server's own record", () => {
  it("passes stamps that are as late as is stated", () => {
    const { judged, failed } = judge(measured(() => 0.1))
    expect(failed).toEqual([])
    expect(judged.length).toBeGreaterThan(20)
  })

  it("names the first token when it alone is stamped later than is stated", () => {
    const { failed } = judge(measured((_, chunk) => (chunk === 0 ? 1.2 : 0.1)))
    expect(failed).toContain("TTFT p50")
    expect(failed).toContain("TTFT of single requests, p99 of the error")
    expect(failed.some((figure) => figure.startsWith("E2E"))).toBe(false)
  })

  it("sees a few late stamps in the p99 alone", () => {
    const { failed } = judge(measured((request) => (request % 20 === 3 ? 2 : 0.1)))
    expect(failed).toContain("TTFT of single requests, p99 of the error")
    expect(failed).not.toContain("TTFT of single requests, p50 of the error")
  })

  it("sees requests that came later than they are said to have been sent", () => {
    const { failed } = judge(measured(() => 0.1, 3))
    expect(failed).toContain("schedule error of single requests, p99 of the error")
    expect(failed).not.toContain("gap between chunks of single requests, p99 of the error")
  })

  it("compares nothing where a request of the server's is missing, or the bench states no error", () => {
    const { answers, truth } = measured(() => 0)
    truth.delete("5")
    expect(() => judge({ answers, truth })).toThrow("request 5")
    const whole = measured(() => 0)
    whole.answers.delete("5")
    expect(() => judge(whole)).toThrow("199 of 200")
    expect(() => checkFigures({ clientError: null } as never, new Map(), new Map())).toThrow("states no error")
  })
})
