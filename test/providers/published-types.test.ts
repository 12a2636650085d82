import { afterAll, beforeAll, expect, it } from "vitest"
import type { OutgoingBatch } from "../../src/core/batch/batch-service.ts"
import type { JsonValue } from "../../src/core/json.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import type { GenerationParameters, ModelRequest, Provider } from "../../src/core/provider.ts"
import { anthropic } from "../../src/providers/anthropic.ts"
import { cohere } from "../../src/providers/cohere.ts"
import { gemini } from "../../src/providers/gemini.ts"
import { openai } from "../../src/providers/openai.ts"
import { testContext } from "../support/ask.ts"
import { askProvider } from "../support/ask-provider.ts"
import { closeLoopback, type Loopback, serveLoopback } from "../support/loopback.ts"
import { faultsOfRequests, type SentRequest } from "../support/published/faults-of-requests.ts"

const paths: readonly (readonly [path: RegExp, kind: SentRequest["kind"]])[] = [
  [/\/chat\/completions$/, "chat"],
  [/\/responses$/, "responses"],
  [/\/messages$/, "messages"],
  [/:streamGenerateContent/, "generateContent"],
  [/\/v2\/chat$/, "cohere"],
  [/\/batches$/, "batch"],
]

/** What a line of a batch is, by the kind of the same provider's streamed request, and where its body stands; Cohere has no batches. */
const linesOf: Readonly<
  Partial<Record<SentRequest["kind"], readonly [kind: SentRequest["kind"], body: string | null]>>
> = {
  chat: ["chatLine", "body"],
  responses: ["responsesLine", "body"],
  messages: ["messagesLine", null],
  generateContent: ["generateContent", "request"],
}

let service: Loopback
let sent: { path: string; body: JsonValue }[] = []
beforeAll(async () => {
  service = await serveLoopback((request, response, body) => {
    sent.push({ path: request.url ?? "", body: JSON.parse(body) as JsonValue })
    response.writeHead(500, { "content-type": "application/json" }).end('{"error":{"message":"asked"}}')
  })
})
afterAll(closeLoopback)

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
const providers: Readonly<Record<string, (baseUrl: string) => Provider>> = {
  chat: (baseUrl) => openai({ model: "gpt-5.4-mini", baseUrl, ...key }),
  "chat, as models that reason take it": (baseUrl) =>
    openai({ model: "gpt-5.4-mini", baseUrl, ...key, maxTokensField: "max_completion_tokens" }),
  "chat, by bytes alone": (baseUrl) => openai({ model: "gpt-5.4-mini", baseUrl, ...key, transport: "undici" }),
  responses: (baseUrl) => openai({ model: "gpt-5.4-mini", baseUrl, ...key, api: "responses" }),
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

it("sends what the services' own SDKs could send, with every parameter", async () => {
  const written: SentRequest[] = []
  for (const [name, open] of Object.entries(providers))
    for (const [asked, [messages, parameters]] of Object.entries(requests)) {
      sent = []
      await askProvider(open(service.url), { messages, parameters, environment: { KEY: "k" } })
      expect(sent, `${name}: ${asked}`).toHaveLength(1)
      for (const { path, body } of sent) {
        const kind = paths.find(([pattern]) => pattern.test(path))?.[1]
        if (kind === undefined) throw new Error(`${name} was sent to ${path}`)
        written.push({ name: `${name}: ${asked}`, kind, body })
        const line = linesOf[kind]
        const made = line && (await batchLine(open(service.url), { messages, parameters }))
        if (line) written.push({ name: `${name}, in a batch: ${asked}`, kind: line[0], body: asBody(made, line[1]) })
      }
    }
  const session = await openai({
    model: "gpt-5.4-mini",
    baseUrl: service.url,
    ...key,
    features: { batches: true },
  }).open(testContext({ KEY: "k" }))
  sent = []
  await session.batches?.create({ key: "k" } as OutgoingBatch, "file-1", new AbortController().signal).catch(() => {})
  await session.close()
  expect(sent.map(({ path }) => path)).toEqual(["/v1/batches"])
  written.push({ name: "a batch", kind: "batch", body: sent[0]?.body ?? null })
  const heard = { ...see, parts: [recording] }
  sent = []
  await askProvider(providers.chat?.(service.url) as Provider, { messages: [heard], environment: { KEY: "k" } })
  written.push({ name: "a recording", kind: "chat", body: sent[0]?.body ?? null })
  expect(faultsOfRequests(written)).toEqual([])
})

/** The same request as a line of a batch. */
async function batchLine(
  provider: Provider,
  request: Pick<ModelRequest, "messages" | "parameters">,
): Promise<Record<string, JsonValue>> {
  const { parameters } = request
  const session = await provider.open(testContext({ KEY: "k" }))
  const line = session.batches?.line("1", request, session.batches.withheld(parameters))
  await session.close()
  return JSON.parse(line ?? "{}")
}

function asBody(line: Record<string, JsonValue> = {}, name: string | null): JsonValue {
  return name === null ? line : (line[name] ?? null)
}

it("would tell of a name and of a value that is in none of the published types", () => {
  const user = [{ role: "user", content: "Hi" }]
  const good: Readonly<Record<SentRequest["kind"], Readonly<Record<string, JsonValue>>>> = {
    chat: { model: "m", messages: user, stream: true },
    responses: { model: "m", input: user, stream: true },
    messages: { model: "m", max_tokens: 1, messages: user, stream: true },
    generateContent: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
    cohere: { model: "m", messages: user, stream: true },
    chatLine: { model: "m", messages: user },
    responsesLine: { model: "m", input: user },
    messagesLine: { custom_id: "1", params: { model: "m", max_tokens: 1, messages: user } },
    batch: { input_file_id: "file-1", endpoint: "/v1/responses", completion_window: "24h" },
  }
  const bad = {
    chat: "messages",
    responses: "input",
    messages: "messages",
    generateContent: "contents",
    cohere: "messages",
    chatLine: "messages",
    responsesLine: "input",
    messagesLine: "params",
    batch: "endpoint",
  }
  const written = Object.entries(good).flatMap(([name, body]): SentRequest[] => {
    const kind = name as SentRequest["kind"]
    return [
      { name: "a good one", kind, body },
      { name: `a name of ${kind}`, kind, body: { ...body, max_token: 1 } },
      { name: `a value of ${kind}`, kind, body: { ...body, [bad[kind]]: [{ role: 7 }] } },
    ]
  })
  expect(faultsOfRequests(written).map((fault) => fault.split(":")[0])).toEqual(
    Object.keys(good).flatMap((kind) => [`a name of ${kind}`, `a value of ${kind}`]),
  )
})
