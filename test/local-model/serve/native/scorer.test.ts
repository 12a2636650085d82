import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningServer } from "../../../../src/local-model/serve/start-server.ts"
import { local } from "../../../../src/providers/local.ts"
import { llamaCppServer } from "../../../../src/providers/presets.ts"
import { testContext } from "../../../support/ask.ts"
import { openTestServer, tinyModel } from "../shared-server.ts"

let server: RunningServer

beforeAll(async () => {
  ;({ server } = await openTestServer())
})
afterAll(() => server?.stop())

const signal = new AbortController().signal

describe("the scorer of llama.cpp's server at evalkit serve", () => {
  it("gives the log-probabilities that a local model gives, of texts and of answers", async () => {
    const theirs = await llamaCppServer({ model: "tiny", baseUrl: server.baseUrl }).open(testContext())
    const own = await local(tinyModel).open(testContext())
    try {
      for (const text of ["The cat wrote a letter.", "A café 😀 is “naïve”.", " two\n\tlines  ", "<|user|>hi"]) {
        const [a, b] = [await theirs.scoreText!(text, signal, 5), await own.scoreText!(text, signal, 5)]
        expect(a.map(({ token }) => token).join("")).toBe(text)
        expect(a).toHaveLength(b.length)
        for (const [i, { logprob, top }] of a.entries()) {
          expect(logprob).toBeCloseTo(b[i]!.logprob, 3)
          expect(top).toHaveLength(5)
        }
      }
      const messages = [{ role: "user" as const, content: "What is 12 + 30?" }]
      const [a, b] = [
        await theirs.scoreAnswer!(messages, "42 café", signal),
        await own.scoreAnswer!(messages, "42 café", signal),
      ]
      expect(a).toHaveLength(b.length)
      for (const [i, { logprob }] of a.entries()) expect(logprob).toBeCloseTo(b[i]!.logprob, 3)
    } finally {
      await Promise.all([theirs.close(), own.close()])
    }
  })

  it("is told when a text is longer than the context", async () => {
    const session = await llamaCppServer({ model: "tiny", baseUrl: server.baseUrl }).open(testContext())
    await expect(session.scoreText!("word ".repeat(600), signal)).rejects.toMatchObject({
      httpStatus: 400,
      message: expect.stringContaining("this model's context holds 512"),
    })
    await session.close()
  })
})
