import { beforeAll, describe, expect, it } from "vitest"
import type { JsonValue } from "../../src/core/json.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import type { GenerationParameters, ModelRequest, Provider } from "../../src/core/provider.ts"
import { anthropic } from "../../src/providers/anthropic.ts"
import { cohere } from "../../src/providers/cohere.ts"
import { gemini } from "../../src/providers/gemini.ts"
import { openai } from "../../src/providers/openai.ts"
import { mistral } from "../../src/providers/presets.ts"
import { testContext } from "../support/ask.ts"
import { askProvider } from "../support/ask-provider.ts"
import { type Loopback, serveLoopback } from "../support/loopback.ts"
import { type BodyKind, faultOfBody } from "../support/published/fault-of-body.ts"
import { takeBodies } from "../support/published/watch-requests.ts"

let service: Loopback
beforeAll(async () => {
  service = await serveLoopback((_request, response) => {
    response.writeHead(500, { "content-type": "application/json" }).end('{"error":{"message":"asked"}}')
  })
})

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
}
const tools = [
  { name: "find", description: "finds a city", parameters: schema },
  { name: "list", parameters: { type: "object", properties: {} } },
]
const picture = { type: "image", mediaType: "image/png", width: 1, height: 1, sha256: "0", bytes: 3 } as const
const recording = {
  type: "audio",
  mediaType: "audio/wav",
  sha256: "1",
  bytes: 3,
  seconds: 1,
  data: new Uint8Array(3),
} as const
const see = { role: "user", content: "Look" } as const
const shown = { ...picture, data: new Uint8Array([1, 2, 3]), detail: "low" } as const
const turns: readonly ChatMessage[] = [
  { role: "system", content: "Be short." },
  { ...see, parts: [{ type: "text", text: "Look" }, shown, { type: "image_url", url: "https://example.org/a.png" }] },
  { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "find", arguments: { city: "Paris" } }] },
  { role: "tool", content: '{"found":1}', toolCallId: "call_1" },
  {
    role: "assistant",
    content: "And",
    toolCalls: [
      { id: "call_2", name: "find", arguments: { city: "Rome" } },
      { id: "call_3", name: "list", arguments: {} },
    ],
  },
  { role: "tool", content: "none", toolCallId: "call_2" },
  { role: "tool", content: "a, b", toolCallId: "call_3" },
  { role: "user", content: "Go on." },
]
const jsonSchema = { name: "answer", schema }
const everything = {
  temperature: 0,
  topP: 0.9,
  maxTokens: 512,
  seed: 7,
  stop: ["\n\n"],
  topLogprobs: 2,
  tools,
  jsonSchema,
}
const requests: Readonly<Record<string, readonly [readonly ChatMessage[], GenerationParameters]>> = {
  "a question": [[{ role: "user", content: "Hi" }], {}],
  everything: [turns, { ...everything, effort: "low" }],
  "JSON of any form": [[{ role: "user", content: "Hi" }], { jsonSchema, structured: "json", topLogprobs: 0 }],
}

const key = { apiKeyVariable: "KEY" }
const gpt = { model: "gpt-5.4-mini", ...key, features: { batches: true } }
const providers: Readonly<Record<string, (baseUrl: string) => Provider>> = {
  chat: (baseUrl) => openai({ ...gpt, baseUrl }),
  "chat, as models that reason take it": (baseUrl) =>
    openai({ ...gpt, baseUrl, maxTokensField: "max_completion_tokens" }),
  "chat, by bytes alone": (baseUrl) => openai({ ...gpt, baseUrl, transport: "undici" }),
  "chat, as Mistral takes it": (baseUrl) => mistral({ model: "mistral-small-latest", baseUrl, ...key }),
  responses: (baseUrl) => openai({ ...gpt, baseUrl, api: "responses" }),
  ...Object.fromEntries(
    (["off", "adaptive", 2048] as const).map((thinking) => [
      `anthropic ${thinking}`,
      (baseUrl: string) =>
        anthropic({ model: "claude-sonnet-4-6", baseUrl, ...key, thinking, promptCache: "1h", serviceTier: "auto" }),
    ]),
  ),
  ...Object.fromEntries(
    (["off", "dynamic", "high", 2048] as const).map((thinking) => [
      `gemini ${thinking}`,
      (baseUrl: string) => gemini({ model: "gemini-3-flash", baseUrl, ...key, thinking, serviceTier: "flex" }),
    ]),
  ),
  ...Object.fromEntries(
    (["off", "on", 2048] as const).map((thinking) => [
      `cohere ${thinking}`,
      (baseUrl: string) => cohere({ model: "command-a", baseUrl, ...key, thinking }),
    ]),
  ),
}

const batches: Readonly<Partial<Record<BodyKind, readonly BodyKind[]>>> = {
  chat: ["batchLine", "chat", "batch"],
  responses: ["batchLine", "responses", "batch"],
  messages: ["messageBatch", "messages"],
  generateContent: ["generateContentBatch", "generateContent"],
}

// As those of all tests, each of these is held against its published type where the service gets it.
describe("requests with every parameter are such as the services' own SDKs could send", () => {
  for (const [name, create] of Object.entries(providers))
    it.each(Object.entries(requests))(`${name}: %s`, async (_, [messages, parameters]) => {
      const provider = create(service.url)
      await askProvider(provider, { messages, parameters, environment: { KEY: "k" } })
      await sendBatch(provider, { messages, parameters })
      const [asked, ...batched] = takeBodies()
      expect(batched.map(({ kind }) => kind)).toEqual((asked?.kind && batches[asked.kind]) ?? [])
      expect([asked, ...batched].map((body) => body?.fault)).toEqual([null, ...batched.map(() => null)])
    })

  it.fails("what they could not send fails the test that sent it", async () => {
    const provider = openai({ ...gpt, baseUrl: service.url, extraBody: { max_token: 1 } })
    await askProvider(provider, { messages: [see], environment: { KEY: "k" } })
  })

  it("a recording", async () => {
    const messages = [{ ...see, parts: [recording] }]
    await askProvider(providers.chat?.(service.url) as Provider, { messages, environment: { KEY: "k" } })
    expect(takeBodies()).toEqual([{ kind: "chat", fault: null }])
  })
})

/** Sends the same request as a batch of one, where the provider has batches. */
async function sendBatch(provider: Provider, request: Pick<ModelRequest, "messages" | "parameters">): Promise<void> {
  if (!provider.traits?.takesBatches) return
  const session = await provider.open(testContext({ KEY: "k" }))
  const { batches } = session
  if (batches) {
    const line = batches.line("1", request, batches.withheld(request.parameters))
    const batch = { key: "k", requests: 1, bytes: Buffer.byteLength(line) + 1, lines: () => [line] }
    const { signal } = new AbortController()
    await batches.upload?.(batch, signal).catch(() => {})
    await batches.create(batch, "file-1", signal).catch(() => {})
  }
  await session.close()
}

const user = [{ role: "user", content: "Hi" }]
const good: Readonly<Record<BodyKind, readonly [body: Readonly<Record<string, JsonValue>>, wrong: string]>> = {
  chat: [{ model: "m", messages: user, stream: true }, "messages"],
  completions: [{ model: "m", prompt: "Hi", stream: true }, "prompt"],
  responses: [{ model: "m", input: user, stream: true }, "input"],
  embeddings: [{ model: "m", input: ["Hi"] }, "input"],
  moderations: [{ model: "m", input: ["Hi"] }, "input"],
  batch: [{ input_file_id: "file-1", endpoint: "/v1/responses", completion_window: "24h" }, "endpoint"],
  batchLine: [{ custom_id: "1", method: "POST", url: "/v1/responses", body: {} }, "url"],
  messages: [{ model: "m", max_tokens: 1, messages: user, stream: true }, "messages"],
  messageBatch: [{ requests: [{ custom_id: "1", params: {} }] }, "requests"],
  generateContent: [{ contents: [{ role: "user", parts: [{ text: "Hi" }] }] }, "contents"],
  generateContentBatch: [{ batch: { displayName: "k", inputConfig: { requests: { requests: [] } } } }, "batch"],
  cohereChat: [{ model: "m", messages: user, stream: true }, "messages"],
  mistralChat: [{ model: "m", messages: user, stream: true }, "messages"],
}

it.each(Object.entries(good))("a name or a value that is none of %s is a fault", (name, [body, wrong]) => {
  const kind = name as BodyKind
  expect(faultOfBody(kind, body)).toBeNull()
  expect(faultOfBody(kind, { ...body, max_token: 1 })).toMatch(/^\/max_token is not known \(\w+\)$/)
  expect(faultOfBody(kind, { ...body, [wrong]: [{ role: 7 }] })).toMatch(new RegExp(`^/${wrong}.* \\(${kind}\\)$`))
})

it("a line of a batch is not streamed", () => {
  const line = { ...good.batchLine[0], body: { stream: true } }
  expect(faultOfBody("batchLine", line)).toMatch(/^\/body\/stream /)
})

it("a member that a message does not have is named by its path", () => {
  const named = "/messages/1/content/0/txt is not known (chat)"
  const messages = [...user, { role: "assistant", content: [{ type: "text", text: "a", txt: "b" }] }]
  expect(faultOfBody("chat", { model: "m", messages })).toBe(named)
})
