import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openai } from "../../src/providers/openai.ts"
import { ask, testContext } from "../support/ask.ts"
import { chaosTimeouts, runThroughChaos } from "../support/chaos/run.ts"
import { type ChaosServer, chaosFault, startChaosServer } from "../support/chaos/server.ts"

let server: ChaosServer
beforeAll(async () => {
  server = await startChaosServer()
})
afterAll(() => server.close())

const open = (rate: number, transport: "sdk" | "undici") =>
  openai({ model: "m", baseUrl: server.url(rate), apiKeyVariable: null, transport, maxAnswerBytes: 1_000_000 }).open(
    testContext(),
  )

describe.each(["sdk", "undici"] as const)("through chaos over %s", (transport) => {
  it.each([
    [0, 150],
    [0.1, 150],
    [0.5, 150],
    [1, 150],
  ])(
    "with faults in %d of the requests every answer ends in the one class of its fault",
    async (rate, count) => {
      const session = await open(rate, transport)
      const { outcomes, wrong } = await runThroughChaos(session, { rate, count, concurrency: 16 })
      await session.close()
      expect(wrong).toEqual([])
      expect(Object.values(outcomes).reduce((sum, n) => sum + n, 0)).toBe(count)
      expect(Object.keys(outcomes).length).toBeGreaterThanOrEqual(rate === 0 ? 1 : 5)
    },
    60_000,
  )

  it("a server without TLS behind https:// is a connection failure", async () => {
    const baseUrl = server.url(0).replace("http:", "https:")
    const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, transport }).open(testContext())
    const answer = await ask(session, { content: "1", timeouts: chaosTimeouts })
    await session.close()
    expect(answer.outcome).toBe("connection")
    expect(answer.failure?.message).toMatch(/ssl|tls|wrong version|packet/i)
  })
})

describe("chaosFault", () => {
  it("meets about the wanted share of the questions, and every fault", () => {
    const faults = Array.from({ length: 2000 }, (_, n) => chaosFault(n, 0.5))
    expect(faults.filter((fault) => fault !== "none").length / 2000).toBeCloseTo(0.5, 1)
    expect(new Set(faults).size).toBe(10)
  })
})
