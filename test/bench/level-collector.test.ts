import { describe, expect, it } from "vitest"
import { arrivalWords } from "../../reports/bench/words/level-words.ts"
import { collectLevel } from "../../src/bench/level-collector.ts"
import { figureValue } from "../../src/core/report/figure.ts"
import { logOf } from "../perf/logs.ts"
import { fakeAnswer } from "../support/fake-provider.ts"

describe("collectLevel", () => {
  it("keeps an answer out of its latencies and objectives during which the client stood still", () => {
    const level = collectLevel({
      variant: "a",
      price: null,
      contextWindow: null,
      metrics: [],
      primary: undefined,
      slo: [{ figure: "e2e", maxMs: 100 }],
      slots: 1,
    })
    const { log } = fakeAnswer("hi")
    for (let i = 0; i < 9; i++) level.add(fakeAnswer("hi"), 0, null)
    level.add(fakeAnswer("hi", "ok", { log: { ...log, sendMs: -5000, stalledMs: 5000 } }), 0, null)
    const { speed, answered, sloAttainment } = level.figures(1000)
    expect(speed).toMatchObject({ measured: 9, stalled: 1 })
    expect(figureValue(speed.e2eMs.p99)).toBe(30)
    expect(figureValue(sloAttainment)).toBe(0.9)
    expect([answered, speed.ttftMs.p50.status === "known" && speed.ttftMs.p50.n]).toEqual([10, 9])
  })

  it("counts the time to the end from when a request was due, beside that from its sending", () => {
    const level = collectLevel({
      ...{ variant: "a", price: null, contextWindow: null, metrics: [], primary: undefined, slo: [], slots: null },
    })
    const { log } = fakeAnswer("hi")
    level.add(fakeAnswer("hi", "ok", { log: { ...log, scheduledMs: log.sendMs - 500 } }), 0, null)
    level.add(fakeAnswer("", "http_5xx"), 0, null)
    const { speed, e2eFromIntentMs } = level.figures(1000)
    const [sent, due] = [figureValue(speed.e2eMs.p50), figureValue(e2eFromIntentMs.p50)]
    expect(due).toBe((sent ?? Number.NaN) + 500)
    expect(e2eFromIntentMs.p50).toMatchObject({ n: 1 })
  })

  it("says beside ITL that tokens arrive in chunks, and nothing where they come one by one", () => {
    const words = (events: Parameters<typeof logOf>[0], completionTokens: number) => {
      const level = collectLevel({
        ...{ variant: "a", price: null, contextWindow: null, metrics: [], primary: undefined, slo: [], slots: 1 },
      })
      const { usage } = fakeAnswer("hi")
      level.add(fakeAnswer("hi", "ok", { log: logOf(events), usage: { ...usage, completionTokens } }), 0, null)
      return arrivalWords(level.figures(1000))
    }
    const chunks = Array.from({ length: 8 }, (_, i) => ({ atMs: 200 + 80 * i, tokens: 8 }))
    expect(words(chunks, 64)).toMatch(/^tokens arrive in chunks of 8, one each 80 ms \(medians\)/)
    expect(
      words(
        Array.from({ length: 9 }, (_, i) => ({ atMs: 200 + 10 * i })),
        9,
      ),
    ).toBeNull()
  })

  it("counts a request that a closing connection swallowed as an attempt", () => {
    const level = collectLevel({
      variant: "a",
      price: null,
      contextWindow: null,
      metrics: [],
      primary: undefined,
      slo: [],
      slots: 1,
    })
    const { log, usage } = fakeAnswer("", "connection")
    level.add(
      fakeAnswer("hi", "ok", { lost: [{ outcome: "connection", log, usage, httpStatus: null, failure: null }] }),
      0,
      null,
    )
    expect(level.figures(1000)).toMatchObject({ requests: 1, answered: 1, resent: 1 })
  })
})
