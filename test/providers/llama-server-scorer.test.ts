import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { llamaCppServer } from "../../src/providers/presets.ts"
import { testContext } from "../support/ask.ts"

let server: Server
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())))

interface Body {
  readonly content: string
  readonly add_special: boolean
  readonly prompt: readonly number[]
  readonly n_predict: number
  readonly n_probs: number
  readonly grammar: string
}

/**
 * A server that answers as llama.cpp's does: a token per character, numbered by its code; number 1 is the start token. The
 * probability of a token is 1/2 after the start, else 1/4.
 */
async function startLlama(options: { startToken?: boolean; knowsGrammar?: boolean; status?: number } = {}) {
  const { startToken = true, knowsGrammar = true, status = 200 } = options
  const asked: { path: string; body: Body }[] = []
  server = createServer(async (request, response) => {
    let text = ""
    for await (const piece of request) text += piece
    const body = JSON.parse(text) as Body
    asked.push({ path: request.url ?? "", body })
    const answer = request.url === "/tokenize" ? tokens(body) : completion(body)
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify(status === 200 ? answer : { error: { message: "busy" } }))
  })
  const tokens = ({ content, add_special }: Body) => ({
    tokens: [
      ...(add_special && startToken ? [{ id: 1, piece: "" }] : []),
      ...[...content].map((piece) => ({ id: piece.charCodeAt(0), piece: piece === "é" ? [0xc3, 0xa9] : piece })),
    ],
  })
  const completion = ({ grammar, n_probs }: Body) => ({
    completion_probabilities: [...grammar.matchAll(/<\[(\d+)\]>/g)].map(([, id], i) => ({
      id: knowsGrammar ? Number(id) : 7,
      token: String.fromCharCode(Number(id)),
      logprob: Math.log(i === 0 ? 1 / 2 : 1 / 4),
      top_logprobs: Array.from({ length: n_probs }, (_, k) => ({ id: k, token: `t${k}`, logprob: -1 - k })),
    })),
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const session = await llamaCppServer({ model: "m", baseUrl }).open(testContext())
  const score = async (text: string, alternatives?: number) => {
    try {
      return await session.scoreText!(text, new AbortController().signal, alternatives)
    } finally {
      await session.close()
    }
  }
  return { asked, score }
}

describe("texts scored by llama.cpp's server", () => {
  it("are forced by a grammar of their tokens in one request, with the probabilities before it", async () => {
    const { asked, score } = await startLlama()
    const scores = await score("abé", 2)
    expect(scores.map(({ token }) => token)).toEqual(["a", "b", "é"])
    expect(scores.map(({ logprob }) => Math.exp(logprob))).toEqual([0.5, 0.25, 0.25])
    expect(scores[0]!.top).toEqual([
      { token: "t0", logprob: -1 },
      { token: "t1", logprob: -2 },
    ])
    expect(asked.map(({ path }) => path)).toEqual(["/tokenize", "/tokenize", "/completion"])
    expect(asked[2]!.body).toMatchObject({
      prompt: [1],
      n_predict: 3,
      n_probs: 2,
      grammar: "root ::= <[97]> <[98]> <[233]>",
      post_sampling_probs: false,
    })
  })

  it("leave a first token out that no start token precedes", async () => {
    const { asked, score } = await startLlama({ startToken: false })
    expect((await score("ab")).map(({ token }) => token)).toEqual(["b"])
    expect(asked[2]!.body.prompt).toEqual([97])
  })

  it("fail as malformed with a build that does not follow such a grammar, and in the class of an HTTP error", async () => {
    const { score } = await startLlama({ knowsGrammar: false })
    await expect(score("ab")).rejects.toMatchObject({ code: "score_text_failed", outcome: "malformed" })
    server.close()
    const busy = await startLlama({ status: 503 })
    await expect(busy.score("ab")).rejects.toMatchObject({ outcome: "http_5xx", httpStatus: 503 })
  })
})
