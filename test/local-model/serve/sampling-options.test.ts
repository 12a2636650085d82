import { createOpenAI } from "@ai-sdk/openai"
import { ChatOpenAI } from "@langchain/openai"
import { generateText, streamText } from "ai"
import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { openTestServer, prompts } from "./shared-server.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: RunningServer
let client: OpenAI
beforeAll(async () => {
  ;({ server, client } = await openTestServer())
})
afterAll(() => server?.stop())

const ask = (content: string) => ({ model: "tiny", messages: [{ role: "user" as const, content }], temperature: 0 })
const [prompt = ""] = prompts

describe("what a request may ask for, through the unmodified openai SDK", () => {
  it("keeps the model's end away as long as it is asked to", async () => {
    const long = { ...ask(prompt), ignore_eos: true, max_tokens: 40 }
    const { choices, usage } = await client.chat.completions.create(long)
    expect([choices[0]?.finish_reason, usage?.completion_tokens]).toEqual(["length", 40])
    const drawn = await client.chat.completions.create({ ...long, temperature: 1, seed: 1 } as typeof long)
    expect(drawn.usage?.completion_tokens).toBe(40)
    const least = await client.chat.completions.create({ ...ask(prompt), min_tokens: 30 } as ReturnType<typeof ask>)
    expect(least.usage?.completion_tokens).toBeGreaterThanOrEqual(30)
    await expect(
      client.chat.completions.create({ ...long, response_format: { type: "json_object" } } as typeof long),
    ).rejects.toMatchObject({ status: 400, param: "response_format" })
  })
})

describe("other clients, unmodified, get the same answer", () => {
  it("from the Vercel AI SDK, whole and streamed, and from LangChain", async () => {
    const expected = (await client.chat.completions.create(ask(prompt))).choices[0]?.message.content
    const model = createOpenAI({ baseURL: server.baseUrl, apiKey: "none" }).chat("tiny")
    expect((await generateText({ model, prompt, temperature: 0, maxRetries: 0 })).text).toBe(expected)
    let streamed = ""
    for await (const text of streamText({ model, prompt, temperature: 0, maxRetries: 0 }).textStream) streamed += text
    expect(streamed).toBe(expected)
    const chain = new ChatOpenAI({
      model: "tiny",
      apiKey: "none",
      temperature: 0,
      maxRetries: 0,
      configuration: { baseURL: server.baseUrl },
    })
    expect((await chain.invoke(prompt)).content).toBe(expected)
  })
})
