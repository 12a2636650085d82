import { expect, it } from "vitest"
import { createRunControl } from "../../src/calls/control.ts"
import { createModelCaller } from "../../src/calls/model-caller.ts"
import { openSessions } from "../../src/calls/open-sessions.ts"
import type { ModelCall } from "../../src/core/run/run-store.ts"
import { unknownUsage } from "../../src/core/usage.ts"
import type { BudgetTracker } from "../../src/cost/budget.ts"
import { createBudget } from "../../src/cost/budget.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"

const { signal } = new AbortController()

it("sends the next call only when one before is in the store: a kill loses no more than may be in flight", async () => {
  const clock = createFakeClock()
  const store = scratchStore()
  const sessions = openSessions({ clock, signal, environment: {}, cacheDirectory: "", progress: () => {} })
  const saving: (() => void)[] = []
  const saved: ModelCall[] = []
  const judge = fakeProvider("judge", () => fakeAnswer("yes"))
  const models = createModelCaller({
    evaluation: { timeouts: {}, retry: { retries: 0 }, seed: 1 } as never,
    store,
    variant: "v",
    control: createRunControl({ clock, signal, sessions, concurrency: 2 }),
    save: (call) =>
      new Promise<void>((resolve) => {
        saving.push(() => {
          saved.push(call)
          resolve()
        })
      }),
  })
  const calls = Array.from({ length: 6 }, (_, i) =>
    models.call(judge, { messages: [{ role: "user", content: `question ${i}` }], parameters: {} }, "judge"),
  )
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))
  const unsaved: number[] = []
  while (saved.length < calls.length) {
    await settle()
    unsaved.push(judge.requests.length - saved.length)
    for (const done of saving.splice(0, 1)) done()
  }
  await Promise.all(calls)
  expect(Math.max(...unsaved)).toBe(2)
  await sessions.closeAll()
})

it.each([
  { limitUsd: 1e-6, answered: 0, reason: "the budget of $0.000001 has no room for a single request" },
  { limitUsd: 0.011, answered: 2, reason: "the budget of $0.011 is spent ($0.0010; the next request might pass it)" },
])("says why a judge is not asked any more: $reason", async ({ limitUsd, answered, reason }) => {
  const rates = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 10 } as const
  const price = { ...rates, source: "test", date: "2026-01-01" }
  const usage = { ...unknownUsage, promptTokens: 100, completionTokens: 40 }
  const judge = fakeProvider("judge", () => fakeAnswer("yes", "ok", { usage }), { price })
  const budget = createBudget({ usd: limitUsd }, { prices: new Map(), elapsedMs: () => 0 })
  let spent = 0
  const { models, stop, close } = callerOf(budget, () => spent++)
  const ask = (i: number) =>
    models.call(judge, { messages: [{ role: "user", content: `${i}` }], parameters: {} }, "judge")
  for (let i = 0; i < answered; i++) expect((await ask(i)).outcome).toBe("ok")
  // One call may take 1,024 tokens of a reply, 1.02 cents.
  expect(await ask(9)).toMatchObject({ outcome: "cancelled", costUsd: 0, failure: { message: reason } })
  expect(judge.requests).toHaveLength(answered)
  expect(spent).toBe(1)
  stop()
  expect(await ask(10)).toMatchObject({ outcome: "cancelled", failure: { message: "interrupted" } })
  await close()
})

/** A caller that saves at once. */
function callerOf(budget: BudgetTracker, onSpent: () => void) {
  const clock = createFakeClock()
  const store = openRunStore(scratchDirectory())
  const stopping = new AbortController()
  const sessions = openSessions({ clock, signal, environment: {}, cacheDirectory: "", progress: () => {} })
  const control = createRunControl({ clock, signal: stopping.signal, sessions, concurrency: 2, budget })
  const evaluation = { timeouts: {}, retry: { retries: 0 }, seed: 1 } as never
  return {
    models: createModelCaller({ evaluation, store, variant: "v", control, save: () => {}, onSpent }),
    stop: () => stopping.abort(),
    async close() {
      await sessions.closeAll()
      store.close()
    },
  }
}
