import { request } from "node:http"
import type OpenAI from "openai"
import { APIError } from "openai"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { openTestServer } from "./shared-server.ts"

let server: RunningServer
let client: OpenAI
let url: string

beforeAll(async () => {
  ;({ server, client, url } = await openTestServer({ parallel: 1, queue: 1 }))
})
afterAll(() => server?.stop())

const headers = { "content-type": "application/json" }
const post = (path: string, body: string) => fetch(`${url}${path}`, { method: "POST", body, headers })
const chat = (body: object) => post("/chat/completions", JSON.stringify(body))
const hello = { messages: [{ role: "user", content: "hello" }] }
const short = { model: "tiny", messages: [{ role: "user" as const, content: "hello" }] }
const health = async () =>
  (await fetch(url.replace("/v1", "/health"))).json() as Promise<{ busy: number; waiting: number }>

/** A stream that is open and has sent its first bytes; `leave` hangs up. */
async function openStream(body: object): Promise<{ leave(): void }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/chat/completions`, { method: "POST", headers }, (response) => {
      response.on("error", () => undefined)
      response.once("data", () => resolve({ leave: () => response.destroy() }))
    })
    call.once("error", reject)
    call.end(JSON.stringify(body))
  })
}

const endlessText = "x".repeat(1_000_000)

/** An answer that takes the model hundreds of tokens: a grammar does not let it end. */
const list = { type: "array", items: { type: "integer" }, minItems: 200, maxItems: 200 }
const endless = {
  ...hello,
  stream: true,
  temperature: 0,
  response_format: { type: "json_schema", json_schema: { name: "list", schema: list } },
}

describe("the HTTP server", () => {
  it("lists its model", async () => {
    expect((await client.models.list()).data.map((model) => model.id)).toEqual(["tiny"])
    expect((await client.models.retrieve("tiny")).owned_by).toBe("evalkit")
  })

  it("answers 400 to a body that is not JSON", async () => {
    const response = await post("/chat/completions", '{"messages": [')
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: {
        message: "the body is not valid JSON",
        type: "invalid_request_error",
        param: null,
        code: "invalid_json",
      },
    })
  })

  it.each([
    [{}, "messages"],
    [{ messages: [] }, "messages"],
    [{ messages: [{ role: "user", content: 5 }] }, "messages[0].content"],
    [{ messages: [{ role: "robot", content: "x" }] }, "messages[0].role"],
    [{ ...hello, temperature: "warm" }, "temperature"],
    [{ ...hello, temperature: 3 }, "temperature"],
    [{ ...hello, max_tokens: 1.5 }, "max_tokens"],
    [{ ...hello, logprobs: true, top_logprobs: 21 }, "top_logprobs"],
    [{ ...hello, top_logprobs: 2 }, "top_logprobs"],
    [{ ...hello, tools: [{}] }, "tools[0].type"],
    [{ ...hello, response_format: { type: "yaml" } }, "response_format.type"],
    [{ ...hello, modalities: ["text", "audio"] }, "modalities[1]"],
    [{ ...hello, web_search_options: {} }, "web_search_options"],
    [{ ...hello, grammar: "root ::= [0-9]+" }, "grammar"],
  ])("answers 400 to %j and names %s", async (body, param) => {
    const response = await chat(body)
    const { error } = (await response.json()) as { error: { param: string; type: string } }
    expect({ status: response.status, param: error.param, type: error.type }).toEqual({
      status: 400,
      param,
      type: "invalid_request_error",
    })
  })

  it("refuses what is no text by its type", async () => {
    const content = [{ type: "image_url", image_url: { url: "x" } }]
    const response = await chat({ messages: [{ role: "user", content }] })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { param: string; message: string } }
    expect(error.param).toBe("messages[0].content")
    expect(error.message).toContain('the model reads texts only: a part of the type "image_url"')
  })

  it("refuses prompts that are neither texts nor token numbers", async () => {
    for (const prompt of [[], {}, [true], 7]) {
      const response = await post("/completions", JSON.stringify({ prompt }))
      expect(response.status).toBe(400)
      const message = "prompt: expected a text, token numbers, or a list of at most 2048 of either"
      expect(await response.json()).toMatchObject({ error: { message } })
    }
  })

  it.each([
    ["/chat/completions", { messages: [{ role: "user", content: endlessText }] }, "messages"],
    ["/chat/completions", { messages: [{ role: "assistant", content: endlessText }], echo: true }, "messages"],
    ["/completions", { prompt: endlessText }, "prompt"],
    ["/embeddings", { input: endlessText }, "input"],
  ])("%s refuses a text that no context holds before it is tokenised (%#)", async (path, body, param) => {
    const response = await post(path, JSON.stringify(body))
    const { error } = (await response.json()) as { error: { code: string; param: string; message: string } }
    expect([response.status, error.code, error.param]).toEqual([400, "context_length_exceeded", param])
    expect(error.message).toContain("characters at most")
  })

  it("says what it serves, and no folder", async () => {
    const props = await (await fetch(url.replace("/v1", "/props"))).json()
    expect(props).toEqual({ total_slots: 1, model_path: "tiny-s-f16.gguf", build_info: "evalkit" })
  })

  it("answers 400 to a prompt that is longer than the context", async () => {
    const response = await chat({ messages: [{ role: "user", content: "table ".repeat(600) }] })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: "context_length_exceeded" } })
  })

  it.each(["/images", "/responses", "/../completion", "/../slots"])("answers 404 to %s", async (path) => {
    expect((await post(path, "{}")).status).toBe(404)
  })

  it("answers 413 to a body of more than 8 MiB", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${url}/chat/completions`, { method: "POST", headers }, (response) =>
        resolve(response.statusCode),
      )
      call.once("error", reject)
      call.end("x".repeat(9 * 1024 * 1024))
    })
    expect(status).toBe(413)
  })

  it("lets a client that leaves cancel its answer and gives the place to the next", async () => {
    const { leave } = await openStream(endless)
    expect((await health()).busy).toBe(1)
    leave()
    const answer = await client.chat.completions.create({ ...short, max_tokens: 2 })
    expect(answer).toMatchObject({ choices: [{ message: { role: "assistant" } }] })
    expect(await health()).toMatchObject({ busy: 0, waiting: 0 })
  })

  it("answers 429 with Retry-After when the queue is full, and serves who waits", async () => {
    const { leave } = await openStream(endless)
    const waiting = chat({ ...hello, max_tokens: 2 })
    await vi.waitFor(async () => expect((await health()).waiting).toBe(1), { interval: 5, timeout: 10_000 })
    const refused = await chat(hello)
    expect(refused.status).toBe(429)
    expect(refused.headers.get("retry-after")).toBe("1")
    expect(await refused.json()).toMatchObject({ error: { type: "rate_limit_error", code: "queue_full" } })
    leave()
    expect((await waiting).status).toBe(200)
  })

  it("gives the SDK an error of its own kind", async () => {
    const failure = await client.chat.completions
      .create({ model: "tiny", messages: [{ role: "user", content: "hi" }], n: 2 })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(APIError)
    expect(failure).toMatchObject({ status: 400, param: "n" })
  })

  it("finishes what runs before it stops", async () => {
    const other = await openTestServer({ parallel: 1 })
    const running = fetch(`${other.url}/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...endless, stream: false, max_tokens: 200 }),
    })
    const otherHealth = async () => (await fetch(other.url.replace("/v1", "/health"))).json()
    await vi.waitFor(async () => expect(await otherHealth()).toMatchObject({ busy: 1 }), {
      interval: 5,
      timeout: 10_000,
    })
    await Promise.all([other.server.stop(), running.then(async (response) => expect(response.status).toBe(200))])
    await expect(fetch(`${other.url}/models`)).rejects.toThrow()
  })
})
