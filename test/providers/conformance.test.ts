import { afterEach, describe, expect, it } from "vitest"
import type { Provider } from "../../src/core/provider.ts"
import { openai } from "../../src/providers/openai.ts"
import * as presets from "../../src/providers/presets.ts"
import { askProvider } from "../support/ask-provider.ts"
import { type ChatMock, type ChatService, startChatService } from "../support/mocks/chat-service.ts"
import { chatServices } from "../support/mocks/services.ts"

const key = "conformance-key-0123456789"
let mock: ChatMock
afterEach(() => mock.close())

interface Asked {
  readonly model: string
  readonly baseUrl: string
}

const own: Readonly<Record<string, (options: Asked) => Provider>> = {
  azure: ({ model, baseUrl }) => presets.azureOpenai({ resource: "r", deployment: model, baseUrl }),
  "anthropic-compatible": (options) => openai({ ...options, apiKeyVariable: "ANTHROPIC_API_KEY" }),
  "gemini-compatible": (options) => openai({ ...options, apiKeyVariable: "GEMINI_API_KEY" }),
  "llama.cpp": presets.llamaCppServer,
  "lm-studio": presets.lmStudio,
  openai,
}
const byName = presets as unknown as Readonly<Record<string, (options: Asked) => Provider>>

async function ask(service: ChatService, model: string, asking: Partial<Parameters<typeof askProvider>[1]> = {}) {
  const create = own[service.name] ?? byName[service.name]
  if (!create) throw new Error(`no provider for ${service.name}`)
  const environment = service.keyVariable === null ? {} : { [service.keyVariable]: key }
  const messages = [{ role: "user", content: "Capital of France?" }] as const
  return askProvider(create({ model, baseUrl: mock.baseUrl + service.basePath }), { messages, environment, ...asking })
}

/** What each service refuses of a request with every common parameter; the others refuse nothing or ignore it. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "gemini-compatible": ["seed", "logprobs"],
  "anthropic-compatible": ["top_p"],
  together: ["logprobs", "stream_options"],
}

const table = chatServices.map((service) => [service.name, service] as const)
const everything = { temperature: 0, topP: 0.9, maxTokens: 512, seed: 7, stop: ["\n\n"], topLogprobs: 2 }

describe("a request with every common parameter", () => {
  it.each(table)("is answered by %s, and what it refuses is left out once and for all", async (name, service) => {
    mock = await startChatService(service, key)
    const model = service.models?.[0] ?? "any"
    const { answers, notes } = await ask(service, model, { parameters: everything, times: 3 })
    expect(answers.map(({ outcome, text }) => [outcome, text])).toEqual(answers.map(() => ["ok", "Paris"]))
    expect(mock.refused.length).toBe(refused[name]?.length ?? 0)
    expect(answers.map((answer) => answer.refused?.length ?? 0)).toEqual([refused[name]?.length ?? 0, 0, 0])
    const left = notes.flatMap((note) => /^(\w+): refused/.exec(note)?.[1] ?? [])
    expect(left).toEqual(refused[name] ?? [])
    const [counts] = mock.billed
    expect(answers[0]?.usage).toMatchObject({
      promptTokens: counts?.prompt,
      completionTokens: (counts?.thinking ?? 0) + (counts?.text ?? 0),
    })
  })

  it("to models of OpenAI's that reason keeps what they take", async () => {
    const service = chatServices.find(({ name }) => name === "openai") as ChatService
    mock = await startChatService(service, key)
    const { answers, notes } = await ask(service, "gpt-5.5", { parameters: everything, times: 2 })
    expect(answers.map(({ outcome }) => outcome)).toEqual(["ok", "ok"])
    expect(notes.map((note) => note.split(":")[0])).toEqual(["temperature", "max_tokens", "top_p", "logprobs", "stop"])
    expect(mock.refused.length).toBe(5)
    expect(Object.keys(mock.bodies.at(-1) ?? {}).sort()).toEqual(
      ["max_completion_tokens", "messages", "model", "seed", "stream", "stream_options"].sort(),
    )
  })
})

describe("an answer that thinks", () => {
  it.each(table.filter(([, { thinkingIn }]) => thinkingIn))(
    "of %s keeps its thinking apart",
    async (_name, service) => {
      mock = await startChatService(service, key)
      const { answer } = await ask(service, service.models?.[0] ?? "any")
      expect(answer).toMatchObject({ outcome: "ok", text: "Paris", reasoning: "The capital is known. " })
    },
  )

  it.each(
    chatServices.flatMap((service) => {
      const model = (service.models ?? ["any"]).find((text) => (service.thinks?.({ model: text }) ?? 0) > 0)
      return model === undefined ? [] : [[service.name, service, model] as const]
    }),
  )("of %s that uses its limit up is no empty answer", async (_name, service, model) => {
    mock = await startChatService(service, key)
    const parameters = service.name === "openai" ? { extra: { max_completion_tokens: 8 } } : { maxTokens: 8 }
    const { answer } = await ask(service, model, { parameters })
    expect(answer).toMatchObject({ outcome: "length", text: "", finishReason: "length" })
    expect(answer.usage.completionTokens).toBe(8)
  })
})

describe("a refusal", () => {
  it.each(table.filter(([, { keyVariable }]) => keyVariable))("of a key by %s is told", async (_name, service) => {
    mock = await startChatService(service, "another-key-0123456789")
    const { answer } = await ask(service, service.models?.[0] ?? "any")
    const { status, message } = service.wrongKey
    expect(answer).toMatchObject({ outcome: "http_4xx", httpStatus: status })
    expect(answer.failure?.message).toContain(String(message).slice(0, 30))
  })

  it.each(table.filter(([, { wrongModel }]) => wrongModel))("of a model by %s is told", async (_name, service) => {
    mock = await startChatService(service, key)
    const { answer } = await ask(service, "no-such-model")
    const { status, message } = service.wrongModel?.("no-such-model") ?? { status: 0, message: "" }
    expect(answer).toMatchObject({ outcome: "http_4xx", httpStatus: status })
    expect(answer.failure?.message).toContain(String(message).slice(0, 30))
  })
})
