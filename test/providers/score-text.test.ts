import { describe, expect, it } from "vitest"
import { openai } from "../../src/providers/openai.ts"
import { testContext } from "../support/ask.ts"
import { serveLoopback } from "../support/loopback.ts"

let answer: { readonly status: number; readonly body: unknown }
let asked: { readonly path: string; readonly body: { readonly [name: string]: unknown } }
const server = await serveLoopback((request, response, text) => {
  asked = { path: request.url ?? "", body: JSON.parse(text) }
  response.writeHead(answer.status, { "content-type": "application/json" })
  response.end(JSON.stringify(answer.body))
})

async function score(text: string) {
  const baseUrl = server.url
  const provider = openai({ model: "m", baseUrl, apiKeyVariable: null, features: { echoLogprobs: true } })
  const session = await provider.open(testContext())
  try {
    return await session.scoreText?.(text, new AbortController().signal)
  } finally {
    await session.close()
  }
}

const echo = (
  tokens: readonly string[],
  values: readonly (number | null)[],
  tops: readonly (object | null)[] = [null, { b: -0.5, c: -1 }],
  usage?: object,
) => ({
  status: 200,
  body: { choices: [{ logprobs: { tokens, token_logprobs: values, top_logprobs: tops } }], ...(usage && { usage }) },
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

  it("keep every token of a text whose characters are spread over tokens, and of one behind a start token", async () => {
    const part = "\uFFFD"
    const tokens = ["<s>", "a", part, part, " ", part, part, part, part, ".", "!"]
    const values = [null, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10]
    const tops = values.map((value, i) => (value === null ? null : { [tokens[i] as string]: value }))
    answer = echo(tokens, values, tops, { prompt_tokens: 10, completion_tokens: 1 })
    const scores = (await score("aé 😀.")) ?? []
    expect(scores.map(({ token }) => token)).toEqual(["a", "", "é", " ", "", "", "", "😀", "."])
    expect(scores.map(({ logprob }) => logprob)).toEqual([-1, -2, -3, -4, -5, -6, -7, -8, -9])
    expect(scores[2]?.top).toEqual([{ token: "é", logprob: -3 }])
  })

  it("list the most likely alternative first, digits too", async () => {
    answer = echo(["1", "+"], [null, -0.1], [null, { "3": -5, "+": -0.1, "7": -3 }], { completion_tokens: 0 })
    expect((await score("1+"))?.[0]?.top.map(({ token }) => token)).toEqual(["+", "7", "3"])
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
