import { expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import { figureValue } from "../../src/core/report/figure.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"

it("measures no latency, duration or budget by the time of day, whichever way it jumps", async () => {
  const day = 24 * 3600 * 1000
  let shiftMs = 0
  const clock = { ...systemClock, wall: () => Date.now() + shiftMs }
  const provider = fakeProvider("p", async (_, { originMs, scheduledMs }) => {
    const sendMs = clock.now() - originMs
    shiftMs = shiftMs === day ? -day : day
    await clock.sleep(2)
    const atMs = clock.now() - originMs
    const events = [{ atMs, kind: "content", tokens: 1, bytes: 1 } as const]
    const log = { scheduledMs: scheduledMs - originMs, sendMs, connectMs: null, headersMs: atMs, events, endMs: atMs }
    return fakeAnswer("x", "ok", { log })
  })
  const store = scratchStore()
  const { report, status } = await runEvaluation({
    evaluation: await validateConfig({
      name: "steps",
      dataset: inline(Array.from({ length: 30 }, (_, i) => ({ id: `s${i}`, input: `q${i}`, reference: "x" }))),
      variants: [{ name: "a", provider }],
      metrics: [exactMatch()],
      budget: { minutes: 5 },
      concurrency: 2,
    }),
    store,
    clock,
    facts: { id: "steps", startedAt: new Date().toISOString(), versions: {}, configPath: null },
  })
  expect(status).toBe("finished")
  expect(provider.requests).toHaveLength(30)
  expect(report.run.durationMs).toBeGreaterThan(0)
  expect(report.run.durationMs).toBeLessThan(60_000)
  const { e2eMs } = report.variants[0]!.speed
  expect(figureValue(e2eMs.p50)).toBeGreaterThanOrEqual(1)
  expect(figureValue(e2eMs.p99)).toBeLessThan(5_000)
})
