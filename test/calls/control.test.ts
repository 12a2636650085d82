import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { createRunControl } from "../../src/calls/control.ts"
import { openSessions } from "../../src/calls/open-sessions.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { evaluate } from "../../src/pipeline/evaluate.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { fakeVariant } from "../support/fake-variant.ts"
import { scratchDirectory } from "../support/scratch.ts"

const signal = new AbortController().signal
const rows = Array.from({ length: 100 }, (_, i) => ({ id: `s${i}`, input: `say s${i}`, reference: `s${i}` }))
const right = () => fakeProvider("right", ({ messages }) => fakeAnswer(String(messages[0]?.content).slice(4)))

/** Asks in rounds of 25 until all 100 samples are used up: a margin this small is never settled. */
async function askInRounds(variants: readonly object[]) {
  const store = openRunStore(scratchDirectory())
  const clock = createFakeClock()
  const evaluation = await validateConfig({
    name: "rounds",
    dataset: inline(rows),
    variants,
    metrics: [exactMatch()],
    margin: 0.001,
    concurrency: 1,
    retry: { retries: 0 },
  })
  const facts = { id: "rounds", startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null }
  const startedMs = clock.now()
  const cacheDirectory = scratchDirectory()
  await evaluate({ evaluation, store, clock, environment: {}, cacheDirectory, facts, signal, untilDecided: true })
  store.close()
  return { elapsedMs: clock.now() - startedMs }
}

describe("createRunControl", () => {
  it("gives a variant the same limit, rate and breaker at every request", () => {
    const clock = createFakeClock()
    const context = { clock, signal, environment: {}, cacheDirectory: "", progress: () => {} }
    const control = createRunControl({ clock, signal, sessions: openSessions(context), concurrency: 8 })
    const limited = fakeVariant("limited", right(), { limits: { concurrency: 2 } })
    expect(control.variantGuards(limited)).toBe(control.variantGuards(limited))
    expect(control.variantGuards(limited).limit.limit).toBe(2)
    expect(control.variantGuards(fakeVariant("free", right())).limit.limit).toBe(8)
  })

  it("keeps what judges wait for apart from what the variants of the same endpoint wait for", () => {
    const clock = createFakeClock()
    const context = { clock, signal, environment: {}, cacheDirectory: "", progress: () => {} }
    const control = createRunControl({ clock, signal, sessions: openSessions(context), concurrency: 8 })
    const provider = right()
    expect(control.metricGuards(provider)).toBe(control.metricGuards(provider))
    expect(control.metricGuards(provider)).not.toBe(control.variantGuards(fakeVariant("v", provider)))
  })
})

describe("a run that asks in rounds", () => {
  it("holds a variant to its rate over all rounds together", async () => {
    const baseline = { name: "baseline", provider: right(), limits: { requestsPerMinute: 60 } }
    const { elapsedMs } = await askInRounds([baseline, { name: "other", provider: right() }])
    // A burst of six seconds, then one request a second.
    expect(elapsedMs).toBeGreaterThanOrEqual((rows.length - 7) * 1000)
  })

  it("does not ask an endpoint again in the next round once it was given up", async () => {
    const down = fakeProvider("down", () => fakeAnswer("", "http_5xx"))
    await askInRounds([
      { name: "baseline", provider: right() },
      { name: "down", provider: down },
    ])
    // Ten failures open the circuit; three cool-downs end with one more each.
    expect(down.requests).toHaveLength(13)
  })
})
