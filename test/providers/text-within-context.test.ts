import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { RunningServer } from "../../src/local-model/serve/start-server.ts"
import { openai } from "../../src/providers/openai.ts"
import { textScorer } from "../../src/providers/text-scorer.ts"
import { openTestServer } from "../local-model/serve/shared-server.ts"
import { testContext } from "../support/ask.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: RunningServer
beforeAll(async () => {
  ;({ server } = await openTestServer({ contextSize: 64 }))
})
afterAll(() => server?.stop())

it("a text that is longer than a real model's context is read whole, in windows of its tokens, and a note says so", async () => {
  const features = { echoLogprobs: true }
  const provider = textScorer(openai({ model: "tiny", baseUrl: server.baseUrl, apiKeyVariable: null, features }))
  const session = await provider.open(testContext())
  const { clock } = testContext()
  const text = Array.from({ length: 60 }, (_, i) => `The uncle needs ${i} big tables, café 😀.`).join("\n")
  const nowMs = clock.now()
  try {
    const answer = await session.request(
      { messages: [{ role: "user", content: text }], parameters: { topLogprobs: 1 } },
      {
        signal: new AbortController().signal,
        timeouts: { connectMs: 10_000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 100_000 },
        clock,
        originMs: nowMs,
        scheduledMs: nowMs,
      },
    )
    expect(answer).toMatchObject({ outcome: "ok", failure: null })
    expect(text.endsWith((answer.logprobs ?? []).map(({ token }) => token).join(""))).toBe(true)
    const missing = text.length - (answer.logprobs ?? []).reduce((length, { token }) => length + token.length, 0)
    // Without a start token the first one has no score.
    expect(missing).toBeLessThan(8)
    expect(answer.logprobs?.every(({ logprob }) => logprob <= 0 && Number.isFinite(logprob))).toBe(true)
    expect(session.notes({}).join(" ")).toContain("one text was longer than the model's context")
  } finally {
    await session.close()
  }
})
