import { expect, it } from "vitest"
import { coldStart } from "../../src/bench/warm-up.ts"
import type { Clock } from "../../src/core/clock.ts"
import type { ProviderSession } from "../../src/core/provider.ts"
import { testTimeouts } from "../support/ask.ts"
import { fakeAnswer } from "../support/fake-provider.ts"

/** A server that loads for so long, and the waits until it answered. */
async function start(loadingMs: number, message: string) {
  let nowMs = 0
  const waits: number[] = []
  const clock: Clock = {
    now: () => nowMs,
    wall: () => nowMs,
    async sleep(ms) {
      waits.push(ms)
      nowMs += ms
    },
  }
  const loading = fakeAnswer("", "http_5xx", { httpStatus: 503, failure: { message } })
  const session = {
    request: () => Promise.resolve(nowMs < loadingMs ? loading : fakeAnswer("hi")),
  } as unknown as ProviderSession
  const target = { session, warmUpRequestOf: () => ({ messages: [], parameters: {} }) } as never
  const { outcome } = await coldStart({ target, clock, timeouts: testTimeouts, signal: new AbortController().signal })
  return { outcome, waitedMs: waits.reduce((sum, ms) => sum + ms, 0) }
}

it("a load begins when the server has loaded, which is waited for some minutes at most", async () => {
  expect(await start(12_000, "HTTP 503: Loading model")).toEqual({ outcome: "ok", waitedMs: 12_000 })
  expect(await start(9e9, "HTTP 503: Loading model")).toEqual({ outcome: "http_5xx", waitedMs: 300_000 })
  expect(await start(12_000, "HTTP 503: no healthy upstream")).toEqual({ outcome: "http_5xx", waitedMs: 0 })
})
