import { expect, it } from "vitest"
import { EvalkitError } from "../../../src/core/errors.ts"
import { createRandom } from "../../../src/core/random.ts"
import { isStoreLost, type RunStore, storeLost } from "../../../src/core/run/run-store.ts"
import { openSharedBudget } from "../../../src/pipeline/distribute/shared-budget.ts"
import { scratchStore } from "../../support/scratch-store.ts"

const estimate = { usd: 0.01, tokens: 100 }

it.each(["lease", "settle", "charge"] as const)(
  "counts a worker's %s once, whose confirmation was lost, and those after it",
  (what) => {
    const store = scratchStore()
    const random = createRandom(what)
    store.setQuota("r", "usd", 10, 0)
    let lost = 0
    const carryOut = store[what] as (...args: unknown[]) => unknown
    const unsure = {
      ...store,
      [what](...args: unknown[]) {
        const isBefore = random.next() < 0.3
        const result = isBefore ? null : carryOut(...args)
        if (!isBefore && random.next() < 0.5) return result
        lost++
        throw new EvalkitError("the store cannot be reached", { code: storeLost })
      },
    } as RunStore
    const worker = openSharedBudget(unsure, "r", store.registerWorker("r", "w", {}), {
      budget: { usd: 0 },
      concurrency: 2,
    })
    const unlessLost = <Result>(work: () => Result): Result | null => {
      try {
        return work()
      } catch (error) {
        if (isStoreLost(error)) return null
        throw error
      }
    }
    let billedUsd = 0
    for (let call = 0; call < 100; call++) {
      unlessLost(() => worker.fill(Array(3).fill(estimate)))
      const aside = unlessLost(() => worker.budget.reserve(estimate))
      if (!aside) continue
      billedUsd += 0.004
      aside.settle({ cost: { status: "known", usd: 0.002, parts: {} }, tokens: 50 })
      worker.budget.charge({ usd: 0.002, tokens: 0 })
    }
    for (let ended = false; !ended; ) ended = unlessLost(() => worker.close() ?? true) ?? false
    store.reclaim("r", 60)
    expect(lost).toBeGreaterThan(5)
    expect(billedUsd).toBeGreaterThan(0.05)
    expect(store.quota("r", "usd")?.used).toBeCloseTo(billedUsd, 9)
  },
)
