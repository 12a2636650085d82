import { describe, expect, it } from "vitest"
import { openSessions } from "../../src/calls/open-sessions.ts"
import type { Provider, ProviderSession } from "../../src/core/provider.ts"
import { laneOf } from "../../src/run/plan.ts"
import { ask, testContext } from "../support/ask.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { fakeVariant } from "../support/fake-variant.ts"

/** Providers that must run alone, and how many of them were open at the same time. */
function exclusiveServers() {
  const state = { open: 0, most: 0, opened: 0 }
  const server = (name: string, port: number, exclusive = true): Provider => {
    const provider = fakeProvider(
      name,
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return fakeAnswer(name)
      },
      { exclusive, endpoint: `127.0.0.1:${port}` },
    )
    return {
      ...provider,
      async open(context): Promise<ProviderSession> {
        const session = await provider.open(context)
        state.opened++
        state.most = Math.max(state.most, ++state.open)
        let closed = false
        return {
          ...session,
          request: (...call) => (closed ? Promise.resolve(fakeAnswer("", "connection")) : session.request(...call)),
          async close() {
            if (!closed) state.open--
            closed = true
          },
        }
      },
    }
  }
  return { server, state }
}

describe("servers that must run alone", () => {
  it("share one lane, whatever their ports, with all that runs on this machine", () => {
    const { server } = exclusiveServers()
    expect(laneOf(fakeVariant("a", server("a", 8080)))).toBe(laneOf(fakeVariant("b", server("b", 8081))))
    expect(laneOf(fakeVariant("c", server("c", 8082, false)))).toBe("127.0.0.1:8082")
  })

  it("never run at the same time, also when two are asked at once, and every request is answered", async () => {
    const { server, state } = exclusiveServers()
    const sessions = openSessions(testContext())
    const providers = [server("a", 1), server("b", 2), server("c", 3)]
    const texts = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const provider = providers[i % 3] as Provider
        const session = await sessions.get(provider)
        return (await ask(session)).text
      }),
    )
    await sessions.closeAll()
    expect(texts).toEqual(Array.from({ length: 30 }, (_, i) => "abc"[i % 3]))
    expect(state).toMatchObject({ open: 0, most: 1 })
    expect(state.opened).toBeLessThan(10)
  })
})
