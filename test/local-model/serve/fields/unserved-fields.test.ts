import { createOpenAI } from "@ai-sdk/openai"
import { ChatOpenAI } from "@langchain/openai"
import { generateText } from "ai"
import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refuseTemplateOptions } from "../../../../src/local-model/serve/fields/template-options.ts"
import type { RunningServer } from "../../../../src/local-model/serve/start-server.ts"
import { openTestServer } from "../shared-server.ts"

let server: RunningServer
let client: OpenAI

beforeAll(async () => {
  ;({ server, client } = await openTestServer())
})
afterAll(() => server?.stop())

const headers = { "content-type": "application/json" }
async function post(path: string, body: object): Promise<{ status: number; param: string | null; message: string }> {
  const url = `${server.baseUrl}${path}`
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  const { error } = (await response.json()) as { error?: { param: string; message: string } }
  return { status: response.status, param: error?.param ?? null, message: error?.message ?? "" }
}

const bodies = {
  "/chat/completions": { messages: [{ role: "user", content: "hello" }], max_tokens: 1 },
  "/completions": { prompt: "hello", max_tokens: 1 },
}
type Path = keyof typeof bodies

describe("fields that are not served", () => {
  it.each<[Path, string, unknown]>([
    ["/chat/completions", "verbosity", "low"],
    ["/chat/completions", "functions", [{ name: "f" }]],
    ["/chat/completions", "chat_template", "{{ messages }}"],
    ["/chat/completions", "json_schema", { type: "object" }],
    ["/chat/completions", "n_predict", 5],
    ["/chat/completions", "length_penalty", 2],
    ["/chat/completions", "use_beam_search", true],
    ["/chat/completions", "stop_token_ids", [5]],
    ["/chat/completions", "samplers", ["top_k"]],
    ["/chat/completions", "top_n_sigma", 1.5],
    ["/chat/completions", "dynatemp_range", 0.5],
    ["/chat/completions", "guided_json", { type: "object" }],
    ["/chat/completions", "skip_special_tokens", false],
    ["/chat/completions", "lora", [{ id: 0, scale: 1 }]],
    ["/chat/completions", "n", 2],
    ["/chat/completions", "top_k", 40],
    ["/chat/completions", "min_p", 0.05],
    ["/chat/completions", "cache_prompt", true],
    ["/chat/completions", "frequency_penalty", 1],
    ["/chat/completions", "repeat_penalty", 1.1],
    ["/chat/completions", "logit_bias", { 5: 1 }],
    ["/completions", "presence_penalty", -1],
    ["/completions", "mirostat", 2],
    ["/completions", "parse_special", true],
    ["/completions", "best_of", 2],
    ["/completions", "suffix", "end"],
    ["/completions", "bad_words", ["a"]],
  ])("%s refuses %s, which would change the answer", async (path, field, value) => {
    const { status, param, message } = await post(path, { ...bodies[path], [field]: value })
    expect({ status, param: param?.replace(/\[.*/, "") }).toEqual({ status: 400, param: field })
    expect(message).toMatch(new RegExp(`^${field}`))
    expect(message).not.toMatch(/invalid (input|option)|expected/i)
  })

  it.each<[Path, object]>([
    ["/chat/completions", { reasoning_effort: "high", chat_template_kwargs: { enable_thinking: false } }],
    ["/chat/completions", { verbosity: "medium", lora: [], structured_outputs: {} }],
    [
      "/chat/completions",
      {
        n: 1,
        top_k: 0,
        logit_bias: {},
        repeat_penalty: 1,
        top_n_sigma: -1,
        dynatemp_range: 0,
        samplers: null,
        best_of: null,
      },
    ],
    ["/completions", { best_of: 1, suffix: "", skip_special_tokens: true, stop_token_ids: [] }],
  ])("%s accepts the values that change nothing: %j", async (path, fields) => {
    expect((await post(path, { ...bodies[path], ...fields })).status).toBe(200)
  })

  it.each<[Path, object]>([
    [
      "/chat/completions",
      {
        user: "u",
        metadata: { a: "b" },
        store: true,
        service_tier: "flex",
        safety_identifier: "s",
        prompt_cache_key: "k",
        prompt_cache_retention: "24h",
        prediction: { type: "content", content: "x" },
      },
    ],
    ["/completions", { user: "u" }],
    ["/chat/completions", { of_a_later_version: { any: 1 }, keep_alive: "5m" }],
  ])("%s takes no notice of what changes no answer, and of what it does not know: %j", async (path, fields) => {
    expect((await post(path, { ...bodies[path], ...fields })).status).toBe(200)
  })
})

describe("options of a chat template", () => {
  const refused = (template: string | undefined, body: Parameters<typeof refuseTemplateOptions>[1]) => () =>
    refuseTemplateOptions(template, body)

  it("are refused where the template reads them", () => {
    const template = "{% if enable_thinking %}<think>{% endif %}{{ reasoning_effort }}"
    expect(refused(template, { reasoning_effort: "high" })).toThrow(
      /^reasoning_effort: the model's chat template reads/,
    )
    expect(refused(template, { chat_template_kwargs: { enable_thinking: false } })).toThrow(/reads enable_thinking/)
  })

  it("change nothing where it does not, and are accepted", () => {
    const body = { reasoning_effort: "high", chat_template_kwargs: { enable_thinking: true } }
    expect(refused("{{ messages }}", body)).not.toThrow()
    expect(refused(undefined, body)).not.toThrow()
  })
})

describe("clients that set such fields", () => {
  it("are answered: OpenAI's SDK", async () => {
    const request = { model: "tiny", messages: [{ role: "user" as const, content: "hi" }], max_tokens: 2 }
    const beside = { user: "u", store: true, service_tier: "auto" as const, metadata: { run: "1" } }
    expect((await client.chat.completions.create({ ...request, ...beside })).choices).toHaveLength(1)
  })

  it("are answered: Vercel's AI SDK", async () => {
    const openai = createOpenAI({ baseURL: server.baseUrl, apiKey: "none" })
    const options = { openai: { user: "u", store: false, metadata: { run: "1" }, serviceTier: "auto" } }
    const request = { model: openai.chat("tiny"), prompt: "hi", maxOutputTokens: 4, providerOptions: options }
    expect((await generateText(request)).finishReason).toMatch(/stop|length/)
  })

  it("are answered: LangChain", async () => {
    const model = new ChatOpenAI({
      model: "tiny",
      apiKey: "none",
      maxTokens: 4,
      user: "u",
      service_tier: "auto",
      modelKwargs: { metadata: { run: "1" }, of_a_later_version: true },
      configuration: { baseURL: server.baseUrl },
    })
    expect((await model.invoke("hi")).usage_metadata?.output_tokens).toBeGreaterThan(0)
  })
})
