import { describe, expect, it } from "vitest"
import type { EndpointGuards } from "../../../src/calls/call-model.ts"
import { createRunControl } from "../../../src/calls/control.ts"
import { openSessions } from "../../../src/calls/open-sessions.ts"
import { createRateLimiter } from "../../../src/calls/rate-limiter.ts"
import { systemClock } from "../../../src/core/clock.ts"
import { EvalkitError } from "../../../src/core/errors.ts"
import { storeLost } from "../../../src/core/run/run-store.ts"
import { createSharedGuards, inFlightQuota, type Sharing } from "../../../src/pipeline/distribute/shared-guards.ts"
import { fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

const provider = fakeProvider("m", () => Promise.reject(new Error("nobody asks it")))
const variant = fakeVariant("v", provider, { limits: { concurrency: 1 } })

/** A store of one slot, and the guards of two workers that share it. */
function twoWorkers(isAway = () => false) {
  let free = 1
  const held = new Map<number, number>()
  const given: string[] = []
  const store = {
    hold: (_run: string, { worker, quota }: { worker: number; quota: string }, slots: number) => {
      const more = slots - (held.get(worker) ?? 0)
      if (isAway()) throw new EvalkitError("away", { code: storeLost })
      if (more > free) return false
      free -= more
      held.set(worker, slots)
      if (more > 0) given.push(`${worker} ${quota}`)
      return true
    },
    pause: () => {},
    pauses: () => [],
    reserveSlot: () => 0,
  }
  const end = new AbortController()
  const limitOf = (worker: number) => {
    const sharing: Sharing = { runId: "r", worker, clock: systemClock, signal: end.signal }
    const guards = createSharedGuards(store as unknown as Parameters<typeof createSharedGuards>[0], sharing)
    const context = {
      clock: systemClock,
      signal: end.signal,
      environment: {},
      cacheDirectory: "",
      progress: () => {},
    }
    const control = createRunControl({
      clock: systemClock,
      signal: end.signal,
      sessions: openSessions(context),
      concurrency: 4,
      shareGuards: guards.guard,
    })
    return control.variantGuards(variant).limit
  }
  return { first: limitOf(1), second: limitOf(2), end, given, free: () => free }
}

describe("a slot that all workers share", () => {
  it("is one worker's until it gives it back", async () => {
    const { first, second, given, free } = twoWorkers()
    const order: string[] = []
    await Promise.all([
      first.run(async () => {
        await systemClock.sleep(120)
        order.push("first")
      }),
      second.run(async () => void order.push("second")),
    ])
    expect(order).toEqual(["first", "second"])
    expect(given).toEqual([`1 ${inFlightQuota("v")}`, `2 ${inFlightQuota("v")}`])
    expect(free()).toBe(1)
  })

  it("is not waited for once the run ends, and was never taken then", async () => {
    const { first, second, end, given, free } = twoWorkers()
    let letGo = () => {}
    const held = first.run(() => new Promise<void>((resolve) => (letGo = resolve)))
    const waiting = second.run(async () => end.signal.aborted)
    await systemClock.sleep(80)
    end.abort(new Error("Ctrl-C"))
    expect(await Promise.race([waiting, systemClock.sleep(2_000).then(() => "still waits")])).toBe(true)
    expect(given).toHaveLength(1)
    letGo()
    await held
    expect(free()).toBe(1)
  })

  it("is waited for while the store cannot be reached, and given back once it can", async () => {
    let isAway = true
    const { first, second, given, free } = twoWorkers(() => isAway)
    setTimeout(() => {
      isAway = false
    }, 100)
    await first.run(async () => {
      isAway = true
    })
    expect([given.length, free()]).toEqual([1, 0])
    isAway = false
    await first.run(async () => {})
    await second.run(async () => {})
    expect([given.length, free()]).toEqual([2, 1])
  })
})

it("loses no answer where the store cannot be told of its tokens", () => {
  const counted: number[] = []
  let isAway = true
  const store = {
    reserveSlot(_run: string, _name: string, tokens: number) {
      if (isAway) throw new EvalkitError("away", { code: storeLost })
      counted.push(tokens)
      return 0
    },
    pauses: () => [],
  }
  const sharing: Sharing = { runId: "r", worker: 1, clock: systemClock, signal: new AbortController().signal }
  const guards = createSharedGuards(store as unknown as Parameters<typeof createSharedGuards>[0], sharing)
  const own = { rate: createRateLimiter(systemClock, {}) } as EndpointGuards
  const { rate } = guards.guard(fakeVariant("v", provider, { limits: { tokensPerMinute: 100 } }), own)
  rate.correct(7)
  expect(counted).toEqual([])
  isAway = false
  guards.look()
  expect(counted).toEqual([7])
})
