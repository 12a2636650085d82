import { expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import type { Provider } from "../../src/core/provider.ts"
import { createRandom } from "../../src/core/random.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { sized } from "../support/nightly.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"

const samples = Array.from({ length: 120 }, (_, i) => ({ id: `q${i}`, input: `say w${i}`, reference: `w${i}` }))
const clock = createFakeClock()

/** Answers after about so long, on the fake clock; so many of its attempts end with HTTP 500. */
function service(name: string, seed: number, meanMs: number, failing: number): Provider {
  const random = createRandom(`${name} ${seed}`)
  return fakeProvider(name, ({ messages }, { scheduledMs, originMs }) => {
    const sendMs = clock.now() - originMs
    clock.advance(meanMs * (0.7 + 0.6 * random.next()))
    const endMs = clock.now() - originMs
    const log = { ...fakeAnswer("").log, scheduledMs: scheduledMs - originMs, sendMs, endMs }
    if (random.next() < failing)
      return fakeAnswer("", "http_5xx", {
        httpStatus: 500,
        failure: { message: "HTTP 500" },
        log: { ...log, events: [] },
      })
    const events = [
      { atMs: endMs - 10, kind: "content" as const, tokens: 1, bytes: 2 },
      { atMs: endMs, kind: "content" as const, tokens: 2, bytes: 4 },
    ]
    return fakeAnswer(String(messages[0]?.content).replace("say ", ""), "ok", { log: { ...log, events } })
  })
}

async function verdicts(seed: number): Promise<Readonly<Record<string, string>>> {
  const price = (perMillion: number) => ({
    ...{
      kind: "tokens" as const,
      inputPerMillion: perMillion,
      cachedInputPerMillion: null,
      outputPerMillion: perMillion,
    },
    ...{ source: "a test", date: "2026-11-01" },
  })
  const evaluation = await validateConfig({
    name: "flaky",
    dataset: inline(samples),
    variants: [
      { name: "today", provider: service("today", seed, 100, 0), price: price(3) },
      { name: "steady", provider: service("steady", seed, 60, 0), price: price(2) },
      { name: "flaky", provider: service("flaky", seed, 40, 0.2), price: price(2) },
    ],
    metrics: [exactMatch()],
    margin: 0.05,
    concurrency: 1,
    retry: { retries: 6, baseDelayMs: 300 },
    seed,
  })
  const store = openRunStore(scratchDirectory())
  const { report } = await runEvaluation({ evaluation, store, clock, id: `run${seed}` })
  store.close()
  return Object.fromEntries(report.comparisons.map(({ candidate, verdict }) => [candidate, verdict]))
}

it("a candidate of which every fifth attempt fails is never swapped to, where a steady one is", async () => {
  const runs = sized(40, 5)
  const result = []
  for (let seed = 1; seed <= runs; seed++) result.push(await verdicts(seed))
  expect(result.filter(({ flaky }) => flaky === "swap")).toEqual([])
  expect(result.filter(({ steady }) => steady === "swap")).toHaveLength(runs)
}, 120_000)
