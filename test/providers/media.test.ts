import { createHash } from "node:crypto"
import { afterEach, describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/core/json.ts"
import { messageOfParts } from "../../src/core/media/message-parts.ts"
import type { AudioPart, ContentPart, ImagePart, ImageUrlPart } from "../../src/core/media/part.ts"
import type { Provider } from "../../src/core/provider.ts"
import { anthropic } from "../../src/providers/anthropic.ts"
import { cohere } from "../../src/providers/cohere.ts"
import { fallback } from "../../src/providers/fallback.ts"
import { fromFunction } from "../../src/providers/function.ts"
import { gemini } from "../../src/providers/gemini.ts"
import { http } from "../../src/providers/http.ts"
import { local } from "../../src/providers/local.ts"
import { openai } from "../../src/providers/openai.ts"
import { deepseek, ollama } from "../../src/providers/presets.ts"
import { mediaFault } from "../../src/run/check-media.ts"
import { askProvider } from "../support/ask-provider.ts"
import { startAnthropicMock } from "../support/mocks/anthropic.ts"
import { startCohereMock } from "../support/mocks/cohere.ts"
import { startGeminiMock } from "../support/mocks/gemini.ts"
import { startPickyService } from "../support/picky-service.ts"
import { pngOf, wavOf } from "../support/pictures.ts"

const key = "media-test-key-0123456789"
const data = pngOf(4, 3)
const base64 = data.toString("base64")
const sha256 = createHash("sha256").update(data).digest("hex")
const picture: ImagePart = {
  type: "image",
  mediaType: "image/png",
  sha256,
  bytes: data.length,
  width: 4,
  height: 3,
  data,
}
const address: ImageUrlPart = { type: "image_url", url: "https://example.org/a/cat.jpg?size=2" }
const sound = wavOf(0.5)
const recording: AudioPart = {
  type: "audio",
  mediaType: "audio/wav",
  sha256: "00",
  bytes: sound.length,
  seconds: 0.5,
  data: sound,
}
const question: ContentPart = { type: "text", text: "What is it?" }

let stop: (() => Promise<void>) | undefined
afterEach(() => stop?.())

async function sent(
  start: (
    key: string,
  ) => Promise<{ readonly baseUrl: string; readonly bodies: readonly JsonObject[]; close(): Promise<void> }>,
  make: (baseUrl: string) => Provider,
  variable: string,
  parts: readonly ContentPart[],
) {
  const mock = await start(key)
  stop = mock.close
  const messages = [messageOfParts("user", parts)]
  const { answer } = await askProvider(make(mock.baseUrl), { messages, environment: { [variable]: key } })
  expect(answer.outcome, answer.failure?.message).toBe("ok")
  return mock.bodies.at(-1) as JsonObject
}

describe("a picture is sent as each service publishes it", () => {
  it("as blocks to Anthropic", async () => {
    const make = (baseUrl: string) => anthropic({ model: "claude-x", baseUrl })
    const body = await sent(startAnthropicMock, make, "ANTHROPIC_API_KEY", [picture, address, question])
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: base64 } },
          { type: "image", source: { type: "url", url: address.url } },
          { type: "text", text: "What is it?" },
        ],
      },
    ])
  })

  it("as inlineData and fileData to Gemini, recordings too", async () => {
    const make = (baseUrl: string) => gemini({ model: "gemini-2.5-flash", baseUrl })
    const body = await sent(startGeminiMock, make, "GEMINI_API_KEY", [picture, address, recording, question])
    expect(body.contents).toEqual([
      {
        role: "user",
        parts: [
          { inlineData: { mimeType: "image/png", data: base64 } },
          { fileData: { mimeType: "image/jpeg", fileUri: address.url } },
          { inlineData: { mimeType: "audio/wav", data: sound.toString("base64") } },
          { text: "What is it?" },
        ],
      },
    ])
  })

  it("as image_url to Cohere", async () => {
    const make = (baseUrl: string) => cohere({ model: "command-a-vision-07-2025", baseUrl })
    const body = await sent(startCohereMock, make, "COHERE_API_KEY", [question, { ...picture, detail: "low" }])
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${base64}`, detail: "low" } },
        ],
      },
    ])
  })

  it("as image_url and input_audio in chat completions", async () => {
    const service = await startPickyService({ answer: () => "a square" })
    stop = service.close
    const messages = [messageOfParts("user", [question, picture, address, recording])]
    const provider = openai({ model: "m", baseUrl: service.url, apiKeyVariable: null })
    const { answer } = await askProvider(provider, { messages, environment: {} })
    expect(answer.text).toBe("a square")
    expect(service.seen[0]?.body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } },
          { type: "image_url", image_url: { url: address.url } },
          { type: "input_audio", input_audio: { data: sound.toString("base64"), format: "wav" } },
        ],
      },
    ])
  })
})

describe("what a provider cannot be sent is known beforehand", () => {
  const why = (provider: Provider, ...parts: readonly ContentPart[]) =>
    mediaFault(provider, [messageOfParts("user", parts)])?.reason ?? null
  const answered = fromFunction(async () => "x", { name: "f" })

  it.each<[string, Provider, readonly ContentPart[], string | null]>([
    ["a local model", local("models/tiny/tiny-m-f16.gguf"), [picture], "it takes no pictures"],
    [
      "a JSON endpoint",
      http({ url: "http://127.0.0.1:1", body: { q: "{{ input }}" }, answer: "a" }),
      [picture],
      "it takes no pictures",
    ],
    ["DeepSeek", deepseek({ model: "deepseek-chat" }), [picture], "it takes no pictures"],
    ["Ollama with an address", ollama({ model: "llava" }), [address], "it does not fetch pictures from an address"],
    ["Ollama with bytes", ollama({ model: "llava" }), [picture], null],
    ["Anthropic with a recording", anthropic({ model: "claude-x" }), [recording], "it takes no recordings"],
    ["Gemini with a GIF", gemini({ model: "g" }), [{ ...picture, mediaType: "image/gif" }], "it takes no image/gif"],
    [
      "Anthropic with 9,000 pixels",
      anthropic({ model: "c" }),
      [{ ...picture, width: 9000 }],
      "it takes pictures of 8000 pixels a side, and this one has 9000",
    ],
    [
      "Cohere with 21 pictures",
      cohere({ model: "c" }),
      Array.from({ length: 21 }, () => picture),
      "it takes 20 pictures in one request, and the prompt has 21",
    ],
    [
      "an endpoint that is said not to see",
      openai({ model: "m", features: { images: false } }),
      [picture],
      "it takes no pictures",
    ],
    ["OpenAI", openai({ model: "gpt-4o" }), [picture, address, recording], null],
    ["a function", answered, [picture, recording], null],
  ])("%s", (_name, provider, parts, reason) => {
    expect(why(provider, ...parts)).toBe(reason)
  })

  it("of a fallback, by each of its members", () => {
    const both = fallback([openai({ model: "gpt-4o" }), deepseek({ model: "deepseek-chat" })])
    expect(both.traits?.members?.map((member) => why(member, picture))).toEqual([null, "it takes no pictures"])
  })
})
