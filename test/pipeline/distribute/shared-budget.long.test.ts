import { expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { openSharedBudget, type SharedBudget } from "../../../src/pipeline/distribute/shared-budget.ts"
import { scratchStore } from "../../support/scratch-store.ts"

const using = (test: (store: RunStore) => void | Promise<void>) => async () => {
  const store = scratchStore()
  await test(store)
}
const estimate = { usd: 0.01, tokens: 100 }
const costOf = (usd: number) => ({ cost: { status: "known", usd, parts: {} } as const, tokens: 50 })

it(
  "sets nothing aside that was not leased, and gives back what no call needs",
  using((store) => {
    store.setQuota("r", "usd", 0.05, 0)
    const sharedBudget = openSharedBudget(store, "r", store.registerWorker("r", "w", {}), {
      budget: { usd: 0 },
      concurrency: 2,
    })
    expect(sharedBudget.budget.reserve(estimate)).toBeNull()
    expect(sharedBudget.fill([estimate, estimate])).toBe(true)
    const call = sharedBudget.budget.reserve(estimate)
    call?.settle(costOf(0.004))
    call?.settle(costOf(0.004))
    sharedBudget.empty()
    store.reclaim("r", 60)
    expect(store.quota("r", "usd")?.used).toBeCloseTo(0.004, 12)
    expect(sharedBudget.fill(Array(50).fill(estimate))).toBe(true)
    expect(store.quota("r", "usd")?.used).toBeLessThanOrEqual(0.05)
    const other = openSharedBudget(store, "r", store.registerWorker("r", "v", {}), {
      budget: { usd: 0 },
      concurrency: 2,
    })
    expect(other.fill([{ usd: 0.04, tokens: 1 }])).toBe(false)
  }),
)

it.each([
  ["stayed", 60],
  ["were taken away", 0.1],
])("gives back after a silence what no call has used, where its leases %s", (_, deadSeconds) =>
  using(async (store) => {
    store.setQuota("r", "usd", 1, 0)
    const sharedBudget = openSharedBudget(store, "r", store.registerWorker("r", "w", {}), {
      budget: { usd: 0 },
      concurrency: 2,
    })
    const { budget } = sharedBudget
    sharedBudget.fill(Array(9).fill(estimate))
    budget.reserve(estimate)?.settle(costOf(0.01))
    const inFlight = budget.reserve(estimate)
    await new Promise((resolve) => setTimeout(resolve, 200))
    store.reclaim("r", deadSeconds)
    store.heartbeat("r", 1, {})
    sharedBudget.close()
    expect(budget.reserve(estimate)).toBeNull()
    sharedBudget.fill([estimate])
    sharedBudget.empty()
    inFlight?.settle(costOf(0.01))
    sharedBudget.close()
    store.reclaim("r", 60)
    const used = store.quota("r", "usd")?.used
    expect(used).toBeGreaterThanOrEqual(0.02 - 1e-9)
    // What was at risk counts as used where the lease was taken away.
    expect(used).toBeLessThanOrEqual(deadSeconds < 1 ? 0.05 : 0.02 + 1e-9)
  })(),
)

it.each([1, 2, 3])("never lets all workers together pass the limit in dollars, whoever dies when (seed %i)", (seed) =>
  using(async (store) => {
    const random = createRandom(`wallets/${seed}`)
    const capUsd = 1
    store.setQuota("r", "usd", capUsd, 0)
    const concurrency = 4
    type Call = { readonly usd: number; readonly aside: NonNullable<ReturnType<SharedBudget["budget"]["reserve"]>> }
    const hire = () => {
      const number = store.registerWorker("r", "w", {})
      const sharedBudget = openSharedBudget(store, "r", number, { budget: { usd: 0 }, concurrency })
      return { number, sharedBudget, flying: [] as Call[] }
    }
    let workers = Array.from({ length: 3 }, hire)
    // An honest service: it bills every request that it got, answered or not, and never more than the estimate.
    let billedUsd = 0
    let deaths = 0
    for (let step = 0; step < 500; step++) {
      const worker = workers[Math.floor(random.next() * workers.length)] as (typeof workers)[number]
      const dice = random.next()
      if (dice < 0.45 && worker.flying.length < concurrency) {
        const aside = worker.sharedBudget.budget.reserve(estimate)
        const usd = estimate.usd * random.next()
        if (aside) worker.flying.push({ usd, aside })
        if (aside) billedUsd += usd
      } else if (dice < 0.85) {
        const call = worker.flying.shift()
        call?.aside.settle(costOf(call.usd))
      } else if (dice < 0.97) worker.sharedBudget.fill(Array(5).fill(estimate))
      else {
        deaths++
        workers = workers.filter((entry) => entry !== worker).concat(hire())
        await new Promise((resolve) => setTimeout(resolve, 200))
        for (const { number } of workers) store.heartbeat("r", number, {})
        store.reclaim("r", 0.15)
      }
      const used = store.quota("r", "usd")?.used ?? 0
      expect(used).toBeGreaterThanOrEqual(billedUsd - 1e-9)
      expect(used).toBeLessThanOrEqual(capUsd + 1e-6)
    }
    expect(deaths).toBeGreaterThan(5)
    expect(billedUsd).toBeGreaterThan(capUsd / 10)
  })(),
)
