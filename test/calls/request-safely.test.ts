import { describe, expect, it } from "vitest"
import { requestSafely } from "../../src/calls/request-safely.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { RequestOptions } from "../../src/core/provider.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"

const options: RequestOptions = {
  signal: new AbortController().signal,
  clock: systemClock,
  originMs: 0,
  scheduledMs: 0,
  timeouts: { connectMs: 30, firstTokenMs: 30, gapMs: 30, totalMs: 30 },
}
const request = { messages: [], parameters: {} }

async function attempt(answer: Parameters<typeof fakeProvider>[1]) {
  const session = await fakeProvider("p", answer).open({} as never)
  return requestSafely(session, request, options, 20)
}

describe("an attempt of a provider", () => {
  it("that throws is a fault of the client, with the cause", async () => {
    const given = await attempt(() => {
      throw new Error("no such method")
    })
    expect(given).toMatchObject({
      outcome: "client_fault",
      failure: { message: "the provider ended with an error: no such method" },
    })
  })

  it("that never ends has timed out, a little after its own limit", async () => {
    const given = await attempt(() => new Promise(() => {}))
    expect(given).toMatchObject({
      outcome: "timeout_total",
      failure: { message: "the provider did not end within 0.05 s" },
    })
  })

  it("that answers is the answer", async () => {
    expect(await attempt(() => fakeAnswer("x"))).toMatchObject({ outcome: "ok", text: "x" })
  })
})
