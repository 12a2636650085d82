import { describe, expect, it } from "vitest"
import { createRunControl } from "../../../src/calls/control.ts"
import { openSessions } from "../../../src/calls/open-sessions.ts"
import { systemClock } from "../../../src/core/clock.ts"
import { createSharedGuards, inFlightQuota, type Sharing } from "../../../src/pipeline/distribute/shared-guards.ts"
import { fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

const provider = fakeProvider("m", () => Promise.reject(new Error("nobody asks it")))
const variant = fakeVariant("v", provider, { limits: { concurrency: 1 } })

/** A store of one slot, and the guards of two workers that share it. */
function twoWorkers() {
  let free = 1
  const given: string[] = []
  const store = {
    lease: (_run: string, { worker, quota }: { worker: number; quota: string }) => {
      if (free === 0) return false
      free--
      given.push(`${worker} ${quota}`)
      return true
    },
    giveBack: () => void free++,
    pause: () => {},
    pauses: () => [],
    queueUp: () => 0,
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
})
