import { describe, expect, it } from "vitest"
import { waitForStart } from "../../src/bench/shards/barrier.ts"

/** A machine whose wall clock is ahead of the server's by `aheadMs`; time passes only in sleep and on the road to the server. */
function machine(aheadMs: number) {
  let nowMs = 5000
  const serverMs = () => 1_700_000_000_000 + nowMs
  const connectedMs: number[] = []
  return {
    now: () => nowMs,
    serverMs,
    connectedMs,
    options: {
      clock: {
        now: () => nowMs,
        wall: () => serverMs() + aheadMs,
        async sleep(ms: number) {
          nowMs += Math.max(0, ms)
        },
      },
      signal: new AbortController().signal,
      server: {
        address: "http://server",
        async date() {
          nowMs += 2
          return Math.floor(serverMs() / 1000) * 1000
        },
      },
      connect: async () => void connectedMs.push(nowMs),
    },
  }
}

describe("the common start of workers", () => {
  it("is the same moment for machines whose clocks differ by minutes", async () => {
    for (const aheadMs of [0, 45_000, -45_000]) {
      const { options, serverMs, now, connectedMs } = machine(aheadMs)
      const startAtMs = serverMs() + 120_000
      const start = await waitForStart({ ...options, startAtMs })
      const { errorMs } = start.clock
      expect(Math.abs(serverMs() + start.atMs - now() - startAtMs)).toBeLessThanOrEqual(errorMs as number)
      expect(errorMs).toBeLessThan(3)
      expect(Math.abs((start.clock.aheadMs as number) - aheadMs)).toBeLessThanOrEqual(errorMs as number)
      expect(start.atMs - (connectedMs[0] as number)).toBeCloseTo(1500, 6)
    }
  })

  it("goes by the machine where no server says its time, and says why", async () => {
    const { options, serverMs, now } = machine(700)
    const startAtMs = serverMs() + 30_000
    const server = { ...options.server, date: async () => null }
    const start = await waitForStart({ ...options, server, startAtMs })
    expect(start.atMs - now()).toBeCloseTo(1500, 6)
    expect(start.clock).toEqual({
      ...{ server: null, aheadMs: null, errorMs: null },
      reason: "http://server: it did not answer with its time",
    })
  })

  it("is missed where it has passed by the server's clock", async () => {
    const { options, serverMs } = machine(0)
    await expect(waitForStart({ ...options, startAtMs: serverMs() - 1 })).rejects.toMatchObject({
      code: "start_missed",
      exitCode: 5,
    })
  })

  it("does not fail where connections cannot be opened beforehand", async () => {
    const { options, serverMs } = machine(0)
    const connect = async () => Promise.reject(new Error("refused"))
    await expect(waitForStart({ ...options, connect, startAtMs: serverMs() + 9000 })).resolves.toHaveProperty("atMs")
  })
})
