import { afterEach, describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/core/json.ts"
import type { Provider, StructuredMode } from "../../src/core/provider.ts"
import { anthropic } from "../../src/providers/anthropic.ts"
import { cohere } from "../../src/providers/cohere.ts"
import { gemini } from "../../src/providers/gemini.ts"
import { openai } from "../../src/providers/openai.ts"
import { askProvider } from "../support/ask-provider.ts"
import { startAnthropicMock } from "../support/mocks/anthropic.ts"
import { startCohereMock } from "../support/mocks/cohere.ts"
import { startGeminiMock } from "../support/mocks/gemini.ts"
import { startPickyService } from "../support/picky-service.ts"

const key = "structured-test-key-0123456789"
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
}
const jsonSchema = { name: "city", schema }

let stop: (() => Promise<void>) | undefined
afterEach(() => stop?.())

interface Started {
  readonly bodies: readonly JsonObject[]
  readonly provider: Provider
}

const services: Readonly<Record<string, () => Promise<Started>>> = {
  async openai() {
    const service = await startPickyService({ answer: () => '{"city":"Paris"}' })
    stop = service.close
    const provider = openai({ model: "m", baseUrl: service.url, apiKeyVariable: null })
    return {
      provider,
      get bodies() {
        return service.seen.map(({ body }) => body as JsonObject)
      },
    }
  },
  async anthropic() {
    const mock = await startAnthropicMock(key)
    stop = mock.close
    return { provider: anthropic({ model: "claude-x", baseUrl: mock.baseUrl }), bodies: mock.bodies }
  },
  async gemini() {
    const mock = await startGeminiMock(key)
    stop = mock.close
    return { provider: gemini({ model: "gemini-2.5-flash", baseUrl: mock.baseUrl }), bodies: mock.bodies }
  },
  async cohere() {
    const mock = await startCohereMock(key)
    stop = mock.close
    return { provider: cohere({ model: "command-a-03-2025", baseUrl: mock.baseUrl }), bodies: mock.bodies }
  },
}

async function sent(service: string, structured: StructuredMode | undefined) {
  const started = await (services[service] as () => Promise<Started>)()
  const { answer, notes } = await askProvider(started.provider, {
    messages: [{ role: "user", content: "Capital of France, as JSON?" }],
    parameters: { jsonSchema, ...(structured && { structured }) },
    environment: { ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key, COHERE_API_KEY: key },
  })
  return { body: started.bodies.at(-1) as JsonObject, answer, notes }
}

/** The members of a body that ask for a form, by service and mode; an empty object asks for none. */
const asked: readonly (readonly [string, StructuredMode, JsonObject])[] = [
  ["openai", "schema", { response_format: { type: "json_schema", json_schema: { ...jsonSchema, strict: true } } }],
  ["openai", "json", { response_format: { type: "json_object" } }],
  ["openai", "prompt", {}],
  ["anthropic", "schema", { output_config: { format: { type: "json_schema", schema } } }],
  ["anthropic", "json", {}],
  ["anthropic", "prompt", {}],
  ["gemini", "schema", { generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema } }],
  ["gemini", "json", { generationConfig: { responseMimeType: "application/json" } }],
  ["gemini", "prompt", {}],
  ["cohere", "schema", { response_format: { type: "json_object", json_schema: schema } }],
  ["cohere", "json", { response_format: { type: "json_object" } }],
  ["cohere", "prompt", {}],
]

describe("the mode of structured output", () => {
  it.each(asked)("%s, %s", async (service, structured, members) => {
    const { body } = await sent(service, structured)
    const forms = ["response_format", "output_config", "json_mode"].flatMap((name) =>
      body[name] === undefined ? [] : [[name, body[name]]],
    )
    const config = body.generationConfig as JsonObject | undefined
    expect({
      ...Object.fromEntries(forms),
      ...(config && Object.keys(config).length > 0 && { generationConfig: config }),
    }).toEqual(members)
  })

  it("is that of an enforced schema where none is named", async () => {
    expect((await sent("openai", undefined)).body.response_format).toMatchObject({ type: "json_schema" })
  })

  it("of an interface without a JSON mode is noted, once, as a difference from what was asked", async () => {
    const { answer, notes } = await sent("anthropic", "json")
    expect(answer.differences).toEqual([{ parameter: "json_mode", affects: "text" }])
    expect(notes).toEqual([
      "json_mode: not offered by this endpoint; the answer's JSON is asked for in the prompt alone",
    ])
  })
})
