import { describe, expect, it } from "vitest"
import { requestSafely } from "../../src/calls/request-safely.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { RequestOptions } from "../../src/core/provider.ts"
import { rememberSecrets } from "../../src/text/secrets.ts"
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
    const answer = await attempt(() => {
      throw new Error("no such method")
    })
    expect(answer).toMatchObject({
      outcome: "client_fault",
      failure: { message: "the provider ended with an error: no such method" },
    })
  })

  it("that never ends has timed out, a little after its own limit", async () => {
    const answer = await attempt(() => new Promise(() => {}))
    expect(answer).toMatchObject({
      outcome: "timeout_total",
      failure: { message: "the provider did not end within 0.05 s" },
    })
  })

  it("that answers is the answer", async () => {
    expect(await attempt(() => fakeAnswer("x"))).toMatchObject({ outcome: "ok", text: "x" })
  })

  it("keeps no key that a provider of one's own repeats, in text, reasoning, tools and errors", async () => {
    rememberSecrets(["own-Key-4711-x"])
    const call = { id: "1", name: "look", arguments: '{"key":"own-Key-4711-x"}' }
    const answer = await attempt(() =>
      fakeAnswer("it is own-Key-4711-x", "ok", { reasoning: "own-Key-4711-x?", toolCalls: [call] }),
    )
    expect(answer).toMatchObject({ text: "it is \u2022\u2022\u2022", reasoning: "\u2022\u2022\u2022?" })
    expect(JSON.stringify(answer)).not.toContain("4711")
    const failed = await attempt(() => {
      throw new Error("wrong key own-Key-4711-x")
    })
    expect(failed.failure?.message).toBe("the provider ended with an error: wrong key \u2022\u2022\u2022")
  })
})
