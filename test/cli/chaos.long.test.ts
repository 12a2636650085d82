import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openai } from "../../src/providers/openai.ts"
import { ask, testContext } from "../support/ask.ts"
import { arrangements, capturedBy } from "../support/capture/arrangements.ts"
import { chaosFault } from "../support/chaos/faults.ts"
import { type ChaosServer, startChaosServer } from "../support/chaos/server.ts"
import { runThroughChaos } from "../support/chaos/through-run.ts"
import { scratchDirectory } from "../support/scratch.ts"

let server: ChaosServer
beforeAll(async () => {
  server = await startChaosServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

describe.each(arrangements)("a run through chaos over %s", (arrangement) => {
  it.each([0, 0.5, 1])(
    "with faults in the share %d of the requests ends each in the one class of its fault, as the server's log has them",
    async (rate) => {
      const folder = join(scratchDirectory(), "run")
      const { outcomes, attempts, wrong, memory } = await runThroughChaos({
        folder,
        server,
        arrangement,
        rate,
        count: 150,
        concurrency: 16,
        retries: 0,
      })
      expect(wrong).toEqual([])
      expect(Object.values(outcomes).reduce((sum, n) => sum + n, 0)).toBe(150)
      expect(attempts).toEqual(server.log())
      expect(Object.keys(attempts).length).toBeGreaterThanOrEqual(rate === 0 ? 1 : 9)
      // Answers of 200 MB were among them.
      for (const { rss } of memory) expect(rss).toBeLessThan(500e6)
    },
    60_000,
  )

  it("finds that a server without TLS is behind https://", async () => {
    const baseUrl = server.url(0).replace("http:", "https:")
    const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, ...capturedBy(arrangement) }).open(
      testContext(),
    )
    const answer = await ask(session, { content: "1" })
    await session.close()
    expect(answer.outcome).toBe("connection")
    expect(answer.failure?.message).toMatch(/ssl|tls|wrong version|packet/i)
  })
})

describe("chaosFault", () => {
  it("meets about the wanted share of the questions, and every fault", () => {
    const faults = Array.from({ length: 5000 }, (_, n) => chaosFault(n, 0.5))
    expect(faults.filter((fault) => fault !== "none").length / 5000).toBeCloseTo(0.5, 1)
    expect(new Set(faults).size).toBe(12)
  })
})
