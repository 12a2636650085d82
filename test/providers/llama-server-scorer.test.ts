import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { llamaCppServer } from "../../src/providers/presets.ts"
import { testContext } from "../support/ask.ts"
import { serveLoopback } from "../support/loopback.ts"
import { startRecordedLlamaServer } from "../support/recorded-llama-server.ts"

async function score(baseUrl: string, text: string, alternatives?: number) {
  const session = await llamaCppServer({ model: "tiny-m", baseUrl }).open(testContext())
  try {
    return await session.scoreText!(text, new AbortController().signal, alternatives)
  } finally {
    await session.close()
  }
}

describe("texts scored by llama.cpp's server, as it was recorded", () => {
  let recorded: Awaited<ReturnType<typeof startRecordedLlamaServer>>
  beforeAll(async () => {
    recorded = await startRecordedLlamaServer()
  })
  afterAll(() => recorded.close())

  // The expected numbers are node-llama-cpp 3.21.1's, another build of ggml on the same file.
  it("are forced by a grammar of their tokens in one request, with the probabilities before it", async () => {
    recorded.asked.length = 0
    const scores = await score(recorded.baseUrl, "7 cats", 2)
    expect(scores.map(({ token }) => token)).toEqual(["7", " cat", "s"])
    for (const [i, logprob] of [-19.7599, -10.923, -11.2245].entries())
      expect(Math.abs(scores[i]!.logprob - logprob)).toBeLessThan(0.01)
    expect(scores[1]!.top.map(({ token }) => token)).toEqual(["2", "0"])
    // A control token has no text in the list; it is asked for.
    expect(scores[0]!.top[0]!.token).toBe("<|user|>")
    expect(recorded.asked.map(({ path }) => path)).toEqual(["/tokenize", "/tokenize", "/completion", "/detokenize"])
    expect(recorded.asked[2]!.body).toMatchObject({ prompt: [0], n_predict: 3, n_probs: 2, post_sampling_probs: false })
  })

  it("look parts of characters up one by one, which no grammar allows and no answer lists", async () => {
    recorded.asked.length = 0
    const scores = await score(recorded.baseUrl, "a café 😀.", 2)
    expect(scores.map(({ token }) => token)).toEqual(["a", " c", "a", "f", "", "é", " ", "", "", "", "😀", "."])
    const own = [
      -21.3868, -11.3781, -7.6415, -7.2092, -14.0731, -8.1608, -10.4136, -16.5602, -8.725, -8.2714, -8.1343, -5.6615,
    ]
    for (const [i, logprob] of own.entries()) expect(Math.abs(scores[i]!.logprob - logprob)).toBeLessThan(0.01)
    const asked = recorded.asked.flatMap(({ body }) => (body as { grammar?: string }).grammar ?? [])
    const letters = "root ::= [a-z]+"
    expect(asked).toEqual([
      "root ::= <[102]> <[270]> <[102]> <[107]>",
      ...[letters, letters],
      "root ::= <[37]>",
      ...[letters, letters, letters, letters],
      "root ::= <[51]>",
    ])
  })

  it("fail in the server's own words when they are longer than its context", async () => {
    await expect(score(recorded.baseUrl, "word ".repeat(300), 1)).rejects.toMatchObject({
      outcome: "http_4xx",
      httpStatus: 400,
      message: expect.stringContaining("request (603 tokens) exceeds the available context size (512 tokens)"),
    })
  })
})

describe("texts scored by a llama.cpp server of another kind", () => {
  /** A token per character, numbered by its code, and no start token; the members are those of the recorded answers. */
  async function start(knowsGrammar: boolean) {
    const server = await serveLoopback((request, response, text) => {
      const body = JSON.parse(text) as { readonly content: string; readonly grammar: string }
      const tokens = () => [...body.content].map((piece) => ({ id: piece.charCodeAt(0), piece }))
      const scored = () =>
        [...body.grammar.matchAll(/<\[(\d+)\]>/g)].map(([, id]) => {
          const token = String.fromCharCode(Number(id))
          const entry = { id: knowsGrammar ? Number(id) : 7, token, bytes: [...Buffer.from(token)], logprob: -3.5e38 }
          return { ...entry, top_logprobs: [entry] }
        })
      const answer =
        request.url === "/tokenize"
          ? { tokens: tokens() }
          : { truncated: false, stop_type: "limit", completion_probabilities: scored() }
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" })
      response.end(JSON.stringify(answer))
    })
    return server.url
  }

  it("leave a first token out that no start token precedes, and bound a probability of 0", async () => {
    const scores = await score(await start(true), "ab")
    expect(scores.map(({ token }) => token)).toEqual(["b"])
    expect(scores[0]!.logprob).toBeCloseTo(-103.28, 2)
  })

  it("fail as malformed with a build that does not follow such a grammar", async () => {
    const failure = score(await start(false), "ab")
    await expect(failure).rejects.toMatchObject({ code: "score_text_failed", outcome: "malformed" })
  })
})
