import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { command as importCommand } from "../../src/cli/commands/import.ts"
import { command as inventory } from "../../src/cli/commands/inventory.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, readAll, writeLines } from "./support.ts"

const cwd = scratchDirectory()
const sse = (...events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")
const named = (...events: readonly { type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")

interface Exchange {
  readonly path: string
  readonly request: object
  readonly response: object | string
}

/** "What is 2 + 2?", "4", one tool call before it in the question; ten tokens in, two out. */
const weather = { name: "weather", arguments: { city: "Oslo" } }
const chatRequest = {
  ...{ model: "gpt-x", user: "ada" },
  messages: [
    { role: "system", content: "Be short." },
    { role: "user", content: [{ type: "text", text: "Weather?" }] },
    {
      ...{ role: "assistant", content: null },
      tool_calls: [{ id: "t1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
    },
    { role: "tool", tool_call_id: "t1", content: "sun" },
  ],
}
const chunk = (delta: object, more: object = {}) => ({
  ...{ object: "chat.completion.chunk", model: "gpt-x-1" },
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const claudeRequest = {
  ...{ model: "gpt-x", max_tokens: 100, system: [{ type: "text", text: "Be short." }], metadata: { user_id: "ada" } },
  messages: [
    { role: "user", content: "Weather?" },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "weather", input: { city: "Oslo" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "sun" }] },
  ],
}
const geminiRequest = {
  systemInstruction: { parts: [{ text: "Be short." }] },
  contents: [
    { role: "user", parts: [{ text: "Weather?" }] },
    { role: "model", parts: [{ functionCall: { id: "t1", name: "weather", args: { city: "Oslo" } } }] },
    { role: "user", parts: [{ functionResponse: { id: "t1", name: "weather", response: "sun" } }] },
  ],
}
const geminiChunk = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, ...more }],
  modelVersion: "gpt-x-1",
})
const geminiUsage = { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 } }
const usage = { prompt_tokens: 10, completion_tokens: 2 }
const claudeUsage = { input_tokens: 10, output_tokens: 2 }

const exchanges: Readonly<Record<string, Exchange>> = {
  chat: {
    ...{ path: "/v1/chat/completions", request: chatRequest },
    response: {
      ...{ object: "chat.completion", model: "gpt-x-1", usage },
      choices: [{ index: 0, message: { role: "assistant", content: "Sunny." }, finish_reason: "stop" }],
    },
  },
  "streamed chat": {
    ...{ path: "/v1/chat/completions", request: { ...chatRequest, stream: true } },
    response: `${sse(
      chunk({ role: "assistant", content: "Sun" }),
      chunk({ content: "ny." }, { finish_reason: "stop" }),
      { choices: [], usage, model: "gpt-x-1" },
    )}data: [DONE]\n\n`,
  },
  "chat on a path of its own": {
    ...{ path: "/llm/ask", request: chatRequest },
    response: { model: "gpt-x-1", usage, choices: [{ message: { content: "Sunny." }, finish_reason: "stop" }] },
  },
  anthropic: {
    ...{ path: "/v1/messages", request: claudeRequest },
    response: {
      ...{ type: "message", role: "assistant", model: "gpt-x-1", stop_reason: "end_turn", usage: claudeUsage },
      content: [{ type: "text", text: "Sunny." }],
    },
  },
  "streamed anthropic": {
    ...{ path: "/v1/messages", request: { ...claudeRequest, stream: true } },
    response: named(
      { type: "message_start", message: { model: "gpt-x-1", usage: { ...claudeUsage, output_tokens: 1 } } } as never,
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as never,
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Sunny." } } as never,
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } } as never,
      { type: "message_stop" },
    ),
  },
  gemini: {
    ...{ path: "/v1beta/models/gpt-x:generateContent", request: { ...geminiRequest, user: "ada" } },
    response: { ...geminiChunk("Sunny.", { finishReason: "STOP" }), ...geminiUsage },
  },
  "streamed gemini": {
    ...{ path: "/v1beta/models/gpt-x:streamGenerateContent?alt=sse", request: { ...geminiRequest, user: "ada" } },
    response: sse(geminiChunk("Sun"), { ...geminiChunk("ny.", { finishReason: "STOP" }), ...geminiUsage }),
  },
  "gemini as a list": {
    ...{
      path: "/v1beta/models/gpt-x:streamGenerateContent?key=AIzaSECRET",
      request: { ...geminiRequest, user: "ada" },
    },
    response: JSON.stringify([geminiChunk("Sun"), { ...geminiChunk("ny.", { finishReason: "STOP" }), ...geminiUsage }]),
  },
  responses: {
    path: "/v1/responses",
    request: {
      ...{ model: "gpt-x", instructions: "Be short.", safety_identifier: "ada" },
      input: [
        { role: "user", content: [{ type: "input_text", text: "Weather?" }] },
        { type: "reasoning", summary: [] },
        { type: "function_call", call_id: "t1", name: "weather", arguments: '{"city":"Oslo"}' },
        { type: "function_call_output", call_id: "t1", output: "sun" },
      ],
    },
    response: {
      ...{ object: "response", status: "completed", model: "gpt-x-1", usage: claudeUsage },
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Sunny." }] }],
    },
  },
}

const text = (body: object | string) => (typeof body === "string" ? body : JSON.stringify(body))
const began = Date.parse("2026-01-02T03:04:05.000Z")
const secret = `sk-${"verysecret".repeat(3)}`

/** A line, or an entry, of each format: an exchange of 1.5 seconds. */
const formats: Readonly<Record<string, (exchange: Exchange, status?: number) => object>> = {
  nginx: ({ path, request, response }, status = 200) => ({
    ...{ remote_addr: "10.0.0.7", request: `POST ${path} HTTP/1.1`, status: String(status), request_time: "1.500" },
    ...{ msec: String(began / 1000 + 1.5), http_authorization: `Bearer ${secret}` },
    ...{ request_body: text(request), response_body: text(response) },
  }),
  "nginx by $time_local": ({ path, request, response }, status = 200) => ({
    ...{ time_local: "02/Jan/2026:04:04:06 +0100", request_method: "POST", request_uri: path, status },
    ...{ request_time: 1, request_body: text(request), resp_body: text(response) },
  }),
  envoy: ({ path, request, response }, status = 200) => ({
    ...{ start_time: "2026-01-02T03:04:05.000Z", method: "POST", path, response_code: status, duration: 1500 },
    ...{ authority: "llm.example", request_body: text(request), response_body: text(response) },
  }),
  caddy: ({ path, request, response }, status = 200) => ({
    ...{ level: "info", ts: began / 1000 + 1.5, logger: "http.log.access", duration: 1.5, size: 1, status },
    request: { remote_ip: "10.0.0.7", method: "POST", uri: path, headers: { Authorization: [`Bearer ${secret}`] } },
    ...{ resp_headers: { "Content-Encoding": ["gzip"] }, request_body: text(request) },
    response_body_base64: gzipSync(text(response)).toString("base64"),
  }),
  traefik: ({ path, request, response }, status = 200) => ({
    ...{ StartUTC: "2026-01-02T03:04:05.000000000Z", Duration: 1_500_000_000, RequestMethod: "POST" },
    ...{ RequestPath: path, DownstreamStatus: status, request_body: text(request), response_body: text(response) },
  }),
  kong: ({ path, request, response }, status = 200) => ({
    request: { method: "POST", uri: path, headers: { authorization: `Bearer ${secret}` }, body: text(request) },
    ...{ response: { status, body: text(response) }, latencies: { request: 1500, kong: 3, proxy: 1497 } },
    started_at: began,
  }),
  "kong's AI proxy": ({ path, request, response }, status = 200) => ({
    ...{ request: { method: "POST", uri: path }, response: { status }, latencies: { request: 1500 } },
    ...{ started_at: began, ai: { proxy: { payload: { request: text(request), response: text(response) } } } },
  }),
  har: ({ path, request, response }, status = 200) => ({
    ...{ startedDateTime: "2026-01-02T03:04:05.000Z", time: 1500, timings: { send: 1, wait: 1400, receive: 99 } },
    request: {
      ...{ method: "POST", url: `https://api.example${path}`, cookies: [{ name: "sid", value: secret }] },
      ...{ headers: [{ name: "Authorization", value: `Bearer ${secret}` }] },
      postData: { mimeType: "application/json", text: text(request) },
    },
    response: {
      status,
      content: {
        mimeType: "application/json",
        text: Buffer.from(text(response)).toString("base64"),
        encoding: "base64",
      },
    },
  }),
}

const har = (...entries: readonly object[]) =>
  JSON.stringify({ log: { version: "1.2", creator: {}, entries } }, null, 2)
const file = (name: string, content: string) => {
  writeFileSync(join(cwd, name), content)
  return join(cwd, name)
}
/** Writes rows as the format's file. */
const logOf = (format: string, name: string, rows: readonly object[]) =>
  format === "har" ? file(`${name}.har`, har(...rows)) : writeLines(cwd, `${name}.log`, rows)

describe("an access log with bodies", () => {
  it.each(Object.keys(formats).flatMap((format) => Object.keys(exchanges).map((call) => [format, call] as const)))(
    "of %s is read: %s",
    async (format, call) => {
      const row = formats[format]?.(exchanges[call] as Exchange) as object
      const { log, records, skipped } = await readAll(logOf(format, "calls", [row]))
      expect([log.tool, skipped]).toEqual(["access-log", []])
      const [read] = records
      expect(read?.variant).toBe("gpt-x")
      expect(read?.sample.input).toEqual([
        { role: "system", content: "Be short." },
        { role: "user", content: "Weather?" },
        { role: "assistant", content: "", toolCalls: [{ id: "t1", ...weather }] },
        { role: "tool", content: "sun", toolCallId: "t1" },
      ])
      expect(read?.sample.cluster).toMatch(/^c[0-9a-f]{16}$/)
      expect(read?.answer).toMatchObject({
        ...{ text: "Sunny.", outcome: "ok", servedModel: "gpt-x-1" },
        usage: { promptTokens: 10, completionTokens: 2 },
      })
      expect([read?.startedAtMs, read?.answer?.log.endMs]).toEqual([began, format.includes("local") ? 1000 : 1500])
      expect(read?.answer?.log.endOnly).toBe(true)
      expect(JSON.stringify(records)).not.toMatch(/verysecret|AIza|10\.0\.0\.7|"ada"/)
    },
  )
})

describe("of an access log", () => {
  const { chat, anthropic } = exchanges as { readonly chat: Exchange; readonly anthropic: Exchange }
  const nginx = formats.nginx as (exchange: Exchange, status?: number) => object
  const streamed = exchanges["streamed chat"] as Exchange
  const read = async (...rows: readonly object[]) => {
    const { records, skipped } = await readAll(writeLines(cwd, "odd.log", rows))
    return { records, reasons: skipped.map(({ reason }) => reason), skipped }
  }
  const half = (body: object | string) => text(body).slice(0, text(body).length / 2)

  it("what calls no model is left out and named by its path alone", async () => {
    const { records, reasons } = await read(
      nginx(chat),
      { request: "GET /health?token=abc HTTP/1.1", status: 200, request_time: 0.001 },
      nginx({ path: "/v1/embeddings", request: { model: "e", input: "a" }, response: { object: "list" } }),
      nginx({ path: "/v1/messages/count_tokens", request: claudeRequest, response: { input_tokens: 9 } }),
      nginx({ path: "/rooms/7/messages", request: { text: "hello" }, response: {} }),
      { level: "info", msg: "no request at all" },
    )
    expect(records).toHaveLength(1)
    expect(reasons).toEqual([
      "no call of a model: GET /health",
      "no call of a model: POST /v1/embeddings",
      "no call of a model: POST /v1/messages/count_tokens",
      "no call of a model: POST /rooms/7/messages",
      "the row is no request with its status",
    ])
  })

  it("bodies that the proxy cut off are no failure of the model, and the call is counted", async () => {
    const { records, reasons, skipped } = await read(
      nginx({ ...chat, request: half(chat.request) as never }),
      nginx({ ...chat, response: half(chat.response) }),
      nginx({ ...streamed, response: half(streamed.response) }),
      nginx({ ...anthropic, response: half(anthropic.response) }),
      nginx({ ...chat, response: "\u0000\ufffd\u001f\ufffd" }),
      nginx({ ...chat, response: "" }),
      nginx({ ...chat, request: "" as never }),
    )
    expect(records).toEqual([])
    const [request, response] = [
      "the body of the request is no JSON",
      "the body of the response is no answer of a model",
    ]
    expect(reasons.map((reason) => reason.split(", or cut off")[0])).toEqual([
      ...[request, response, response, response, response],
      ...["response", "request"].map((of) => `the log holds no body of the ${of}: have the proxy write it`),
    ])
    const calls = skipped.map((entry) => (entry as { call?: { variant: string; answer: { outcome: string } } }).call)
    expect(calls.map((call) => call?.answer.outcome)).toEqual(Array(7).fill("ok"))
    expect(calls.map((call) => call?.variant)).toEqual(["gpt-x-1", ...Array(5).fill("gpt-x"), "gpt-x-1"])
  })

  it("failures have the class of their status, and a caller who hung up is no failure", async () => {
    const error = { error: { message: `no room for ${secret}`, type: "overloaded" } }
    const { records } = await read(
      ...[429, 500, 400, 499].map((status) => nginx({ ...chat, response: error }, status)),
      nginx({ ...chat, response: "" }, 502),
      nginx({ ...chat, response: { error: { message: "overloaded" } } }),
      ...["envoy", "har"].map((format) => (formats[format] as typeof nginx)({ ...chat, response: "" }, 0)),
    )
    expect(records.map(({ answer }) => answer?.outcome)).toEqual([
      ...["rate_limited", "http_5xx", "http_4xx", "cancelled", "http_5xx", "stream_error", "cancelled", "cancelled"],
    ])
  })

  it("a session is a cluster before a user is, the same one in every log", async () => {
    const request = { ...chatRequest, metadata: { session_id: "s1" } }
    const { records } = await read(
      nginx({ ...chat, request }),
      nginx({ ...chat, request: { ...request, user: "bo" } }),
      nginx(chat),
      nginx({ ...chat, request: { ...chatRequest, user: undefined } }),
    )
    const [first, second, user, none] = records.map(({ sample }) => sample.cluster)
    expect(second).toBe(first)
    expect(user).not.toBe(first)
    expect(none).toBeUndefined()
  })

  it("a question with a picture is left out with the reason, whatever its interface", async () => {
    const parts = [
      [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }],
      [{ type: "image", source: { type: "base64", data: "AA==" } }],
    ]
    const inlineData = {
      contents: [{ role: "user", parts: [{ inlineData: { mimeType: "image/png", data: "AA==" } }] }],
    }
    const { records, reasons } = await read(
      ...parts.map((content) => nginx({ ...chat, request: { model: "m", messages: [{ role: "user", content }] } })),
      nginx({ ...(exchanges.gemini as Exchange), request: inlineData }),
    )
    expect([records, new Set(reasons)]).toEqual([[], new Set(["it holds a picture, a recording or a file"])])
  })

  it("an older nginx without escape=json is told what to change", async () => {
    const path = file(
      "old.log",
      `{"request":"POST /v1/messages HTTP/1.1","status":200,"request_body":"{\\x22a\\x22:1}"}\n`,
    )
    const io = fakeIo({ cwd })
    await expect(inventory.run({ logs: [path] }, io)).rejects.toMatchObject({
      hint: expect.stringMatching(/escape=json/),
    })
  })
})

describe("commands take an access log", () => {
  const hours = 3_600_000
  /** Forty calls of two models in two days, each with a person in it. */
  const calls = Array.from({ length: 40 }, (_, i) => {
    const model = i % 2 === 0 ? "gpt-4.1-mini" : "gpt-4.1-nano"
    const content = `Dear Mr Miller, mail ada${i >> 1}@example.com about parcel ${i >> 1}`
    const { path, response } = exchanges.chat as Exchange
    const row = (formats.envoy as (exchange: Exchange) => object)({
      ...{ path, request: { model, user: "ada", messages: [{ role: "user", content }] } },
      response: { ...(response as object), model },
    })
    return {
      ...row,
      start_time: new Date(began + i * hours).toISOString(),
      duration: model.endsWith("mini") ? 900 : 400,
    }
  })
  const log = () => writeLines(cwd, "calls.log", [...calls, { method: "GET", path: "/health", response_code: 200 }])

  it("inventory: models, cost at list price, latency", async () => {
    const io = fakeIo({ cwd })
    expect(await inventory.run({ logs: [log()], json: true }, io)).toBe(0)
    const { calls: n, models, skipped_count } = JSON.parse(io.stdout())
    expect([n, skipped_count, models.map((use: { model: string }) => use.model)]).toEqual([
      ...[40, 1, ["gpt-4.1-mini", "gpt-4.1-nano"]],
    ])
    // $0.40 and $1.60 per million tokens: https://openai.com/api/pricing.
    expect(models[0].cost_usd.value).toBeCloseTo(20 * (10 * 0.4e-6 + 2 * 1.6e-6), 12)
    expect(models[0].latency_ms.p50.value).toBe(900)
  })

  it("compare FILE:MODEL FILE:MODEL pairs the same questions", async () => {
    const path = log()
    const { json } = await compareJson(cwd, `${path}:gpt-4.1-mini`, `${path}:gpt-4.1-nano`, { metric: ["refusal"] })
    expect(json.metrics.refusal.pairs).toBe(20)
    expect(json.performance.e2eMs).toMatchObject({ n: 20, value: -500 })
  })

  it("import --sample --redact stores no person", async () => {
    const io = fakeIo({ cwd })
    const args = { files: [log()], sample: 8, redact: true, asDataset: "traffic" }
    expect(await importCommand.run(args, io)).toBe(0)
    const stored = ["samples", "answers"].map((name) => readFileSync(join(cwd, "traffic", `${name}.jsonl`), "utf8"))
    expect(stored[0]?.trim().split("\n")).toHaveLength(8)
    expect(stored.join("")).not.toMatch(/Miller|@example|"ada"/)
    expect(stored[0]).toMatch(/\[person 1\].*\[email \d+\]/)
  })
})
