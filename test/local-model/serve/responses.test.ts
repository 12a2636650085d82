import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { openTestServer, prompts } from "./shared-server.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: RunningServer
let client: OpenAI
beforeAll(async () => {
  ;({ server, client } = await openTestServer({ contextSize: 2048 }))
})
afterAll(() => server?.stop())

const [prompt = ""] = prompts
const greedy = { model: "tiny", temperature: 0 }
const weather = {
  type: "function" as const,
  name: "weather",
  description: "The weather of a city",
  parameters: {
    type: "object",
    properties: { city: { enum: ["Bern"] } },
    required: ["city"],
    additionalProperties: false,
  },
  strict: true,
}

describe("POST /v1/responses, through the unmodified openai SDK", () => {
  it("gives the text that a chat request gives, with usage, whole and streamed", async () => {
    const chat = await client.chat.completions.create({ ...greedy, messages: [{ role: "user", content: prompt }] })
    const whole = await client.responses.create({ ...greedy, input: prompt })
    expect(whole.output_text).toBe(chat.choices[0]?.message.content)
    expect(whole).toMatchObject({ status: "completed", model: "tiny", store: false, error: null })
    expect(whole.usage).toMatchObject({
      input_tokens: chat.usage?.prompt_tokens,
      output_tokens: chat.usage?.completion_tokens,
    })
    const types: string[] = []
    let text = ""
    let last = -1
    for await (const event of await client.responses.create({ ...greedy, input: prompt, stream: true })) {
      if (types.at(-1) !== event.type) types.push(event.type)
      expect(event.sequence_number).toBe(++last)
      if (event.type === "response.output_text.delta") text += event.delta
    }
    expect(text).toBe(whole.output_text)
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ])
    const final = await client.responses.stream({ ...greedy, input: prompt }).finalResponse()
    expect(final.output_text).toBe(whole.output_text)
  })

  it("calls functions and reads their results", async () => {
    const asked = {
      ...greedy,
      input: prompt,
      tools: [weather],
      tool_choice: "required" as const,
      parallel_tool_calls: false,
    }
    const { output } = await client.responses.create(asked)
    expect(output).toMatchObject([{ type: "function_call", name: "weather", status: "completed" }])
    const [call] = output
    if (call?.type !== "function_call") throw new Error("no call")
    expect(JSON.parse(call.arguments)).toEqual({ city: "Bern" })
    const streamed = await client.responses.stream(asked).finalResponse()
    expect(streamed.output).toMatchObject([{ type: "function_call", arguments: call.arguments }])
    const after = await client.responses.create({
      ...asked,
      tool_choice: "none",
      input: [
        { role: "user", content: prompt },
        call,
        { type: "function_call_output", call_id: call.call_id, output: "sunny" },
      ],
    })
    expect(after.output_text).toEqual(expect.any(String))
  })

  it("says what was too long, and gives log-probabilities where they are asked for", async () => {
    const cut = await client.responses.create({ ...greedy, input: prompt, max_output_tokens: 2 })
    expect(cut).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } })
    const scored = await client.responses.create({
      ...greedy,
      input: prompt,
      include: ["message.output_text.logprobs"],
      top_logprobs: 2,
    })
    const [item] = scored.output
    const part = item?.type === "message" ? item.content[0] : undefined
    expect(part?.type === "output_text" && part.logprobs?.[0]).toMatchObject({
      logprob: expect.any(Number),
      top_logprobs: [expect.any(Object), expect.any(Object)],
    })
  })

  it("holds a format, follows instructions, and refuses what it does not keep", async () => {
    const format = {
      type: "json_schema" as const,
      name: "city",
      schema: {
        type: "object",
        properties: { city: { enum: ["Bern"] } },
        required: ["city"],
        additionalProperties: false,
      },
    }
    const held = await client.responses.create({ ...greedy, input: prompt, text: { format }, max_output_tokens: 60 })
    expect(JSON.parse(held.output_text)).toEqual({ city: "Bern" })
    const short = await client.responses.create({ ...greedy, input: prompt })
    const instructed = await client.responses.create({ ...greedy, input: prompt, instructions: "Be short." })
    expect(instructed.usage?.input_tokens).toBeGreaterThan(short.usage?.input_tokens ?? 0)
    await expect(
      client.responses.create({ ...greedy, input: prompt, previous_response_id: "resp_1" }),
    ).rejects.toMatchObject({ status: 400, param: "previous_response_id" })
    await expect(client.responses.create({ model: "other", input: prompt })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    })
  })
})
