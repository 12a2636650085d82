import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openai } from "../../src/providers/openai.ts"
import { testContext } from "../support/ask.ts"

let answer: { readonly status: number; readonly body: unknown }
let asked: { readonly path: string; readonly body: { readonly [name: string]: unknown } }
const server = createServer((request, response) => {
  let text = ""
  request.on("data", (part) => {
    text += part
  })
  request.on("end", () => {
    asked = { path: request.url ?? "", body: JSON.parse(text) }
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(JSON.stringify(answer.body))
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function score(text: string) {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const provider = openai({ model: "m", baseUrl, apiKeyVariable: null, features: { echoLogprobs: true } })
  const session = await provider.open(testContext())
  try {
    return await session.scoreText?.(text, new AbortController().signal)
  } finally {
    await session.close()
  }
}

const echo = (tokens: readonly string[], values: readonly (number | null)[]) => ({
  status: 200,
  body: { choices: [{ logprobs: { tokens, token_logprobs: values, top_logprobs: [null, { b: -0.5, c: -1 }] } }] },
})

describe("the log-probabilities of a given text", () => {
  it("leave out the first token, which has no context, and the one that had to be generated", async () => {
    answer = echo(["a", "b", "!"], [null, -0.5, -2])
    const top = [
      { token: "b", logprob: -0.5 },
      { token: "c", logprob: -1 },
    ]
    expect(await score("ab")).toEqual([{ token: "b", logprob: -0.5, top }])
    expect(asked.path).toBe("/v1/completions")
    expect(asked.body).toMatchObject({ prompt: "ab", echo: true, logprobs: 1, temperature: 0 })
  })

  it("are refused with the server's words when it cannot give them", async () => {
    answer = { status: 400, body: { error: { message: "echo is not supported" } } }
    await expect(score("ab")).rejects.toThrow("HTTP 400: echo is not supported")
    answer = { status: 200, body: { choices: [{ text: "ab" }] } }
    await expect(score("ab")).rejects.toThrow("no log-probabilities of the prompt")
  })

  it("are not offered by an endpoint that was not said to have them", async () => {
    const session = await openai({ model: "m", baseUrl: "http://127.0.0.1:9/v1", apiKeyVariable: null }).open(
      testContext(),
    )
    expect(session.scoreText).toBeUndefined()
    await session.close()
  })
})
