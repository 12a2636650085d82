import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { figureValue } from "../../src/core/report/figure.ts"
import type { Distribution, RunReport } from "../../src/core/report/report.ts"
import { quantile } from "../../src/stats/quantile.ts"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { type LedgerServer, type ServiceHabits, startLedgerServer } from "../support/servers/ledger-server.ts"
import { callerTimes } from "../support/servers/ledger-truth.ts"

const index = new URL("../../dist/src/index.js", import.meta.url).href
const questions = 80

const steady: ServiceHabits = {
  ...{ failing: 0, stopping: 0, stopMs: 0, thinks: false },
  ...{ thinkingMs: 10, firstWordMs: 120, betweenMs: 15 },
}
/** Faster where it answers, but every fifth attempt fails. */
const flaky: ServiceHabits = { ...steady, failing: 0.2, firstWordMs: 60 }
const odd: ServiceHabits = {
  ...steady,
  ...{ thinks: true, failing: 0.2, stopping: 0.05, stopMs: 500 },
  ...{ storm: { from: 40, attempts: 6, pauseMs: 400 }, failurePauseMs: [400, 600] },
}

let server: LedgerServer
let report: RunReport
beforeAll(async () => {
  server = await startLedgerServer({ steady, flaky, odd }, 7)
  const folder = scratchDirectory()
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { defineConfig, contains, openai, variant } from ${JSON.stringify(index)}
const price = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 1, source: "test", date: "2026-11-01" } as const
export default defineConfig({
  dataset: Array.from({ length: ${questions} }, (_, i) => ({ id: "q" + i, input: "say q" + i, reference: "q" + i })),
  metrics: [contains()],
  margin: 0.1,
  concurrency: 12,
  timeLimitMs: 400,
  retry: { retries: 6, baseDelayMs: 400, maxDelayMs: 400 },
  variants: ["steady", "flaky", "odd"].map((model) =>
    variant({ name: model, price, provider: openai({ model, baseUrl: "${server.url}", apiKeyVariable: null }) })),
})
`,
  )
  const { stdout } = await callCli(["run", "--no-html", "--json"], { cwd: folder })
  report = JSON.parse(stdout) as RunReport
}, 120_000)
afterAll(() => server.close())

const variantOf = (name: string) =>
  report.variants.find((variant) => variant.name === name) as RunReport["variants"][number]
const attemptsOf = (model: string) => server.entries.filter((entry) => entry.model === model)

/** Known percentiles beside those of the ledger. */
function beside(distribution: Distribution, times: readonly number[]) {
  return (["p50", "p95", "p99"] as const).map((name) => ({
    name,
    shown: figureValue(distribution[name]) ?? Number.NaN,
    truth: quantile(times, Number(name.slice(1)) / 100),
  }))
}

describe("a run against a service that keeps a ledger of its callers", () => {
  it.each(["steady", "flaky", "odd"])("shows what the callers of %s waited, retries included", (model) => {
    const times = callerTimes(server.entries, model)
    expect(times).toHaveLength(questions)
    const { speed } = variantOf(model)
    // The first answer met a service that may have been cold, and counts in no latency.
    const warm = times.slice(speed.cold)
    const ttft = warm.map(({ ttftMs }) => ttftMs)
    const e2e = warm.map(({ e2eMs }) => e2eMs)
    // A busy machine holds client and service up, which are one process here: a client that stands still for less than 250 ms counts.
    for (const { name, shown, truth } of [...beside(speed.ttftMs, ttft), ...beside(speed.e2eMs, e2e)])
      expect(Math.abs(shown - truth)).toBeLessThan(0.15 * truth + (name === "p50" ? 60 : 250))
  })

  it.each(["steady", "flaky", "odd"])("counts every attempt of %s", (model) => {
    const { reliability } = variantOf(model)
    const of = (outcome: string) => attemptsOf(model).filter((entry) => entry.outcome === outcome).length
    expect(reliability).toMatchObject({
      requests: questions,
      failedAttempts: of("http_5xx"),
      rateLimited: of("rate_limited"),
      attempts: of("http_5xx") + of("ok"),
    })
  })

  it("names the first token of any kind and the successful attempt beside what was felt", () => {
    const { ttftMs, ttftAnyMs, attemptE2eMs, e2eMs, rateLimitWaitMs } = variantOf("odd").speed
    const median = (distribution?: Distribution) => figureValue(distribution?.p50) ?? Number.NaN
    expect(median(ttftAnyMs)).toBeLessThan(median(ttftMs) - 50)
    expect(figureValue(attemptE2eMs?.p95)).toBeLessThan(figureValue(e2eMs.p95) as number)
    expect(figureValue(rateLimitWaitMs?.p99)).toBeGreaterThan(250)
    expect(variantOf("steady").speed).not.toHaveProperty("attemptE2eMs")
  })

  it("takes an answer that came later than the run's limit for none", () => {
    const late = callerTimes(server.entries, "flaky").filter(({ e2eMs }) => e2eMs > 400).length
    const available = (figureValue(variantOf("flaky").availability) as number) * questions
    expect(Math.abs(available - (questions - late))).toBeLessThanOrEqual(3)
    expect(late).toBeGreaterThan(3)
  })

  it("does not swap to a faster service whose attempts fail", () => {
    const comparison = report.comparisons.find(({ candidate }) => candidate === "flaky")
    expect(comparison).toMatchObject({ verdict: "keep", basis: "less_reliable", reliability: { isMaterial: true } })
    expect(comparison?.sentence).toMatch(/fail more often: \d+ of \d+ attempts failed/)
  })
})
