import { createOpenAI } from "@ai-sdk/openai"
import { HumanMessage, ToolMessage } from "@langchain/core/messages"
import { tool as langchainTool } from "@langchain/core/tools"
import { ChatOpenAI } from "@langchain/openai"
import { generateText, Output, stepCountIs, streamText, tool } from "ai"
import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { z } from "zod"
import type { RunningServer } from "../../../../src/local-model/serve/start-server.ts"
import { openTestServer } from "../shared-server.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: RunningServer
let client: OpenAI
beforeAll(async () => {
  ;({ server, client } = await openTestServer({ contextSize: 2048 }))
})
afterAll(() => server?.stop())

/** Schemas whose values are few, so that a small model's arguments end soon. */
const weather = {
  type: "function" as const,
  function: {
    name: "weather",
    description: "The weather of a city",
    parameters: {
      type: "object",
      properties: { city: { enum: ["Bern", "Paris"] }, days: { enum: [1, 2] } },
      required: ["city", "days"],
      additionalProperties: false,
    },
  },
}
const clock = { type: "function" as const, function: { name: "clock" } }
const question = { role: "user" as const, content: "What is the weather in Bern?" }
const asked = {
  model: "tiny",
  messages: [question],
  tools: [weather, clock],
  temperature: 0,
  parallel_tool_calls: false,
}

const isWeather = (args: unknown) => {
  const { city, days } = JSON.parse(String(args))
  expect(["Bern", "Paris"]).toContain(city)
  expect([1, 2]).toContain(days)
}

describe("functions, through the unmodified openai SDK", () => {
  it("calls the function that is named, with arguments of its schema, streamed as whole", async () => {
    const named = { ...asked, tool_choice: { type: "function" as const, function: { name: "weather" } } }
    const { choices, usage } = await client.chat.completions.create(named)
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, tool_calls: [{ type: "function", id: expect.stringMatching(/^call_/) }] },
    })
    const call = choices[0]?.message.tool_calls?.[0]
    if (call?.type !== "function") throw new Error("no function")
    expect(call.function.name).toBe("weather")
    isWeather(call.function.arguments)
    expect(usage?.completion_tokens).toBeGreaterThan(0)
    const stream = client.chat.completions.stream(named)
    const final = await stream.finalChatCompletion()
    expect(final.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "weather", arguments: call.function.arguments } }] },
    })
  })

  it("calls one of all where a call is required, and {} where a function takes nothing", async () => {
    const { choices } = await client.chat.completions.create({ ...asked, tool_choice: "required" })
    const [call] = choices[0]?.message.tool_calls ?? []
    expect(["weather", "clock"]).toContain(call?.type === "function" && call.function.name)
    const only = await client.chat.completions.create({ ...asked, tools: [clock], tool_choice: "required" })
    expect(only.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: "clock", arguments: "{}" } }])
  })

  it("holds what is no call to the format that is asked for, whole and streamed, and calls where it must", async () => {
    const schema = {
      type: "object",
      properties: { sky: { enum: ["blue"] } },
      required: ["sky"],
      additionalProperties: false,
    }
    const formatted = {
      ...asked,
      response_format: { type: "json_schema" as const, json_schema: { name: "sky", schema, strict: true } },
    }
    const { choices, usage } = await client.chat.completions.create(formatted)
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: expect.stringContaining("{") } })
    expect(JSON.parse(choices[0]?.message.content ?? "")).toEqual({ sky: "blue" })
    expect(usage?.completion_tokens).toBeGreaterThan(0)
    let text = ""
    for await (const chunk of await client.chat.completions.create({ ...formatted, stream: true }))
      text += chunk.choices[0]?.delta.content ?? ""
    expect(text).toBe(choices[0]?.message.content)
    const called = await client.chat.completions.create({ ...formatted, tools: [clock], tool_choice: "required" })
    expect(called.choices[0]?.finish_reason).toBe("tool_calls")
  })

  it("answers in words where nothing may be called, as without tools, and where the model calls nothing", async () => {
    const { tools: _tools, parallel_tool_calls: _parallel, ...plain } = asked
    const without = await client.chat.completions.create(plain)
    const none = await client.chat.completions.create({ ...asked, tool_choice: "none" })
    expect(none.choices).toEqual(without.choices)
    const auto = await client.chat.completions.create({ ...asked, max_tokens: 8 })
    expect(auto.choices[0]?.message.content).toEqual(expect.any(String))
    expect(auto.choices[0]?.message.tool_calls).toBeUndefined()
    expect(auto.usage?.prompt_tokens).toBeGreaterThan(without.usage?.prompt_tokens ?? 0)
  })

  it("reads calls and their results, and refuses what belongs to no call", async () => {
    const call = {
      id: "call_1",
      type: "function" as const,
      function: { name: "weather", arguments: '{"city":"Bern"}' },
    }
    const made = { role: "assistant" as const, content: null, tool_calls: [call] }
    const result = { role: "tool" as const, tool_call_id: "call_1", content: "sunny <|end|>" }
    const answer = await client.chat.completions.create({
      ...asked,
      messages: [question, made, result],
      max_tokens: 4,
    })
    const before = await client.chat.completions.create({ ...asked, max_tokens: 4 })
    expect(answer.usage?.prompt_tokens).toBeGreaterThan(before.usage?.prompt_tokens ?? 0)
    expect(answer.choices[0]?.finish_reason).toMatch(/stop|length/)
    for (const [messages, words] of [
      [[question, result], /answers no call/],
      [[question, made, question], /has no result/],
      [[question, made], /has no result/],
    ] as const)
      await expect(client.chat.completions.create({ ...asked, messages: [...messages] })).rejects.toThrow(words)
  })

  it("refuses what cannot be served, naming the field", async () => {
    const bad: [object, string][] = [
      [{ tool_choice: { type: "function", function: { name: "none" } } }, "tool_choice"],
      [{ tools: [weather, weather] }, "tools"],
      [{ tools: [{ type: "function", function: { name: "a b" } }] }, "tools[0].function.name"],
      [{ echo: true, messages: [question, { role: "assistant", content: "sunny" }] }, "tools"],
      [{ functions: [weather.function] }, "functions"],
      [{ tool_choice: { type: "allowed_tools" } }, "tool_choice"],
    ]
    for (const [more, param] of bad)
      await expect(client.chat.completions.create({ ...asked, ...more } as typeof asked)).rejects.toMatchObject({
        status: 400,
        param,
      })
  })

  it("ends as too long where the arguments do not fit", async () => {
    const { choices } = await client.chat.completions.create({
      ...asked,
      tools: [weather],
      tool_choice: "required",
      max_tokens: 2,
    })
    expect(choices[0]?.finish_reason).toBe("length")
  })

  it("says 404 for a model that is not served", async () => {
    const error = { status: 404, code: "model_not_found", param: "model", type: "invalid_request_error" }
    await expect(client.chat.completions.create({ ...asked, model: "gpt-5" })).rejects.toMatchObject(error)
    await expect(client.completions.create({ model: "gpt-5", prompt: "a" })).rejects.toMatchObject(error)
    await expect(client.models.retrieve("gpt-5")).rejects.toMatchObject(error)
    expect((await client.models.retrieve("tiny")).id).toBe("tiny")
  })
})

describe("functions, through other clients, unmodified", () => {
  it("the Vercel AI SDK runs the function and answers after its result, whole and streamed", async () => {
    const openai = createOpenAI({ baseURL: server.baseUrl, apiKey: "none" })
    const ran: unknown[] = []
    const tools = {
      weather: tool({
        description: "The weather of a city",
        inputSchema: z.object({ city: z.enum(["Bern", "Paris"]) }),
        execute: async ({ city }) => {
          ran.push(city)
          return "sunny"
        },
      }),
    }
    const model = openai.chat("tiny")
    const settings = { model, tools, prompt: question.content, temperature: 0, maxRetries: 0, maxOutputTokens: 60 }
    const { steps } = await generateText({
      ...settings,
      stopWhen: stepCountIs(2),
      prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? "required" : "none" }),
    })
    expect(steps.map(({ finishReason }) => finishReason)[0]).toBe("tool-calls")
    expect(steps).toHaveLength(2)
    const streamed = streamText({ ...settings, toolChoice: { type: "tool", toolName: "weather" } })
    expect(await streamed.toolCalls).toMatchObject([{ toolName: "weather", input: { city: ran[0] } }])
    expect(ran.length).toBe(2)
  })

  it("the Vercel AI SDK offers functions and asks for a form in one request", async () => {
    const openai = createOpenAI({ baseURL: server.baseUrl, apiKey: "none" })
    const { output } = await generateText({
      model: openai.chat("tiny"),
      tools: { weather: tool({ inputSchema: z.object({ city: z.enum(["Bern"]) }), execute: async () => "sunny" }) },
      output: Output.object({ schema: z.object({ sky: z.enum(["blue"]) }) }),
      prompt: question.content,
      temperature: 0,
      maxRetries: 0,
    })
    expect(output).toEqual({ sky: "blue" })
  })

  it("LangChain binds them, reads the call, and hands its result back", async () => {
    const model = new ChatOpenAI({
      model: "tiny",
      apiKey: "none",
      temperature: 0,
      maxRetries: 0,
      maxTokens: 60,
      configuration: { baseURL: server.baseUrl },
    })
    const lookUp = langchainTool(async () => "sunny", {
      name: "weather",
      description: "The weather of a city",
      schema: z.object({ city: z.enum(["Bern", "Paris"]) }),
    })
    const first = await model.bindTools([lookUp], { tool_choice: "weather" }).invoke(question.content)
    expect(first.tool_calls).toMatchObject([{ name: "weather", args: { city: expect.stringMatching(/Bern|Paris/) } }])
    const id = first.tool_calls?.[0]?.id ?? ""
    const second = await model
      .bindTools([lookUp], { tool_choice: "none" })
      .invoke([new HumanMessage(question.content), first, new ToolMessage({ content: "sunny", tool_call_id: id })])
    expect(second.content).toEqual(expect.any(String))
    let args = ""
    const stream = await model.bindTools([lookUp], { tool_choice: "weather" }).stream(question.content)
    for await (const { tool_call_chunks: chunks } of stream) for (const chunk of chunks ?? []) args += chunk.args ?? ""
    expect(JSON.parse(args)).toEqual(first.tool_calls?.[0]?.args)
  })
})
