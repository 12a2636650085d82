import { describe, expect, it } from "vitest"
import { createAdaptiveLimit, type LimitChange } from "../../src/calls/adaptive-limit.ts"

describe("createAdaptiveLimit", () => {
  it("never runs more than its limit at once", async () => {
    const limit = createAdaptiveLimit(3, () => 0)
    let running = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 20 }, () =>
        limit.run(async () => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setTimeout(resolve, 1))
          running--
        }),
      ),
    )
    expect(most).toBe(3)
  })

  it("falls by a third on overload, once for all calls that were in flight, and tells why", () => {
    const changes: LimitChange[] = []
    let now = 100
    const limit = createAdaptiveLimit(
      9,
      () => now,
      (change) => changes.push(change),
    )
    limit.overloaded("rate_limited", 50)
    limit.overloaded("rate_limited", 60)
    expect(limit.limit).toBe(6)
    now = 200
    limit.overloaded("http_5xx", 150)
    expect(limit.limit).toBe(4)
    expect(changes).toEqual([
      { from: 9, to: 6, reason: "rate_limited" },
      { from: 6, to: 4, reason: "http_5xx" },
    ])
  })

  it("rises by one for a round of successes, never above its maximum, never below one", () => {
    const limit = createAdaptiveLimit(4, () => 0)
    for (let i = 0; i < 20; i++) limit.overloaded("http_5xx", i === 0 ? 0 : 1)
    expect(limit.limit).toBe(1)
    for (let i = 0; i < 200; i++) limit.succeeded()
    expect(limit.limit).toBe(4)
  })

  it("lets a waiting caller go on when a slot becomes free", async () => {
    const limit = createAdaptiveLimit(1, () => 0)
    let finish = () => {}
    const first = limit.run(() => new Promise<void>((resolve) => (finish = resolve)))
    const order: string[] = []
    const ready = limit.ready().then(() => order.push("ready"))
    await Promise.resolve()
    order.push("waiting")
    finish()
    await first
    await ready
    expect(order).toEqual(["waiting", "ready"])
  })
})
