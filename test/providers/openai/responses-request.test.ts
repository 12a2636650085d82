import { openai } from "evalkit"
import type { ResponseCreateParamsStreaming, ResponseStreamEvent } from "openai/resources/responses/responses"
import { describe, expect, it } from "vitest"
import type { ChatMessage } from "../../../src/core/message.ts"
import type { OpenaiOptions } from "../../../src/providers/openai/options.ts"
import { testContext } from "../../support/ask.ts"
import {
  ask,
  at,
  bodies,
  closeAfterEach,
  completed,
  created,
  find,
  paris,
  question,
  serve,
  server,
} from "./responses-service.ts"

closeAfterEach()

describe("a request", () => {
  it("says in the interface's words what the parameters ask for", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    }
    const url = "https://pictures.example/1.png"
    const messages: readonly ChatMessage[] = [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: "What is it?",
        parts: [
          { type: "text", text: "What is it?" },
          { type: "image_url", url },
        ],
      },
      { role: "assistant", content: "A tower." },
      { role: "user", content: "Where?" },
    ]
    const answer = await ask(await serve(() => paris), {
      messages,
      parameters: {
        temperature: 0,
        topP: 0.9,
        maxTokens: 64,
        effort: "low",
        topLogprobs: 3,
        jsonSchema: { name: "city", schema },
        seed: 7,
        stop: ["\n"],
      },
      options: { extraBody: { reasoning: { summary: "auto" }, service_tier: "flex" } },
    })
    const expected: ResponseCreateParamsStreaming = {
      model: "m",
      input: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is it?" },
            { type: "input_image", image_url: url, detail: "auto" },
          ],
        },
        { role: "assistant", content: "A tower." },
        { role: "user", content: "Where?" },
      ],
      temperature: 0,
      top_p: 0.9,
      max_output_tokens: 64,
      reasoning: { effort: "low", summary: "auto" },
      include: ["message.output_text.logprobs"],
      top_logprobs: 3,
      text: { format: { type: "json_schema", name: "city", schema, strict: true } },
      service_tier: "flex",
      store: false,
      stream: true,
    }
    expect(bodies).toEqual([expected])
    expect(answer.outcome).toBe("malformed")
    expect(answer.notes).toEqual([
      "seed: not offered by this endpoint; answers cannot be repeated exactly",
      "stop: not offered by this endpoint; answers go on behind the texts that were to end them",
    ])
  })

  it("is asked for log-probabilities, which a model may refuse alone", async () => {
    const error = {
      message: "logprobs are not supported with reasoning models.",
      type: "invalid_request_error",
      param: "include",
      code: null,
    }
    const baseUrl = await serve(({ top_logprobs }) => (top_logprobs ? { status: 400, body: { error } } : paris))
    expect((await ask(baseUrl, { parameters: { topLogprobs: 2, tools: [find] } })).outcome).toBe("ok")
    expect(bodies.map(({ include }) => include)).toEqual([
      ["message.output_text.logprobs", "reasoning.encrypted_content"],
      ["reasoning.encrypted_content"],
    ])
    const delta: ResponseStreamEvent = {
      ...{ type: "response.output_text.delta", content_index: 0, delta: "Paris", ...at(0) },
      logprobs: [{ token: "Paris", logprob: -0.1, top_logprobs: [{ token: "Paris", logprob: -0.1 }] }],
    }
    server.close()
    const result = await ask(await serve(() => [created, delta, completed([])]), { parameters: { topLogprobs: 1 } })
    expect(result.logprobs).toMatchObject([{ token: "Paris", logprob: -0.1 }])
  })

  it("is of one of two interfaces, which is a part of who is asked", () => {
    const identity = (options: Partial<OpenaiOptions>) => openai({ model: "m", ...options }).identity
    expect(identity({ api: "responses" })).toMatchObject({ api: "responses" })
    expect(identity({ api: "chat" })).toEqual(identity({}))
    expect(() => openai({ model: "m", api: "assistants" as never })).toThrow('api does not know "assistants"')
  })

  it("of a batch names the interface", async () => {
    const session = await openai({ model: "m", apiKeyVariable: null, api: "responses" }).open(testContext())
    const line = session.batches?.line("q1", { messages: question, parameters: {} }, []) ?? "{}"
    const { url, body } = JSON.parse(line) as { url: string; body: object }
    expect([url, "stream" in body, "store" in body]).toEqual(["/v1/responses", false, true])
    await session.close()
    await serve(() => paris)
  })
})
