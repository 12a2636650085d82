import { describe, expect, it } from "vitest"
import { systemClock } from "../../src/core/clock.ts"
import type { Answer } from "../../src/core/generation.ts"
import type { JsonObject } from "../../src/core/json.ts"
import type { Sample } from "../../src/core/sample.ts"
import { serverTimings } from "../../src/perf/server/server-timings.ts"
import { type HttpOptions, http } from "../../src/providers/http.ts"
import { fakeSample } from "../support/fake-variant.ts"
import { serveLoopback } from "../support/loopback.ts"

interface Asked {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: JsonObject
}

const asked: Asked[] = []

/** What each path answers with. */
const replies: Readonly<Record<string, readonly [status: number, type: string, pieces: readonly string[]]>> = {
  "/ask": [
    200,
    "application/json",
    [
      '{"data":{"answer":"It is Paris","sources":[{"text":"p1","id":4},{"text":"p2","id":7}]},',
      '"usage":{"prompt_tokens":9,"completion_tokens":3},"why":"stop","model":"m-2"}',
    ],
  ],
  "/stream": [
    200,
    "text/event-stream",
    ['data: {"delta":"It is "}\n\n', 'data: {"delta":"Paris"}\n\n', 'data: {"delta":"","sources":["p1"]}\n\n'],
  ],
  "/text": [200, "application/json", ["plain words"]],
  "/empty": [200, "application/json", ['{"data":{}}']],
  "/counts": [200, "application/json", ['{"answer":"x","usage":{"prompt_tokens":-4,"completion_tokens":3}}']],
  // tools/server/README.md of ggml-org/llama.cpp; docs/basic_usage/native_api of sgl-project/sglang.
  "/completion": [
    200,
    "application/json",
    ['{"content":"x","timings":{"prompt_n":2,"prompt_ms":4,"predicted_n":3,"predicted_ms":30,"by":"<b>"}}'],
  ],
  "/generate": [
    200,
    "application/json",
    ['{"text":"x","meta_info":{"id":"r","e2e_latency":0.05,"queue_time":0.01,"completion_tokens":3}}'],
  ],
  // docs/api.md of ollama/ollama.
  "/api/generate": [
    200,
    "application/json",
    [
      '{"model":"m","response":"x","done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":3,"total_duration":4000000000,"eval_duration":2000000000}',
    ],
  ],
  "/tgi": [200, "application/json", ['{"generated_text":"x"}']],
  "/busy": [429, "application/json", ['{"error":{"message":"slow down"}}']],
  "/down": [503, "text/plain", ["out of order"]],
  "/cut": [200, "text/event-stream", ['data: {"delta":"half"}\n\n', "cut"]],
  "/filtered": [200, "application/json", ['{"answer":"","why":"content_filter"}']],
}

/** router/src/server.rs of huggingface/text-generation-inference: milliseconds, in the headers of answers that are not streamed. */
const headersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/tgi": {
    "x-total-time": "1250",
    "x-validation-time": "2",
    "x-queue-time": "48",
    "x-inference-time": "1200",
    "x-time-per-token": "<b>",
    "x-generated-tokens": "50",
  },
  // A proxy's own stamp is no word of the server's.
  "/ask": { "x-total-time": "7" },
}

const server = await serveLoopback(async (request, response, text) => {
  const path = request.url ?? ""
  asked.push({ path, headers: request.headers, body: JSON.parse(text) as JsonObject })
  const [status, type, pieces] = replies[path.split("?")[0] ?? ""] ?? [404, "text/plain", ["no such path"]]
  response.writeHead(status, { "content-type": type, ...headersOf[path] })
  for (const piece of pieces) {
    if (piece === "cut") return void response.destroy()
    response.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  response.end()
})
const base = server.origin

const sample: Sample = fakeSample("s1", {
  input: "Capital of France?",
  references: ["secret"],
  context: ["c"],
  metadata: { user: "u-1", deep: { list: [1, 2] } },
})

async function ask(path: string, options: Partial<HttpOptions> = {}): Promise<Answer> {
  const provider = http({ url: `${base}${path}`, body: { q: "{{ input }}" }, answer: "answer", ...options })
  const session = await provider.open({
    clock: systemClock,
    signal: new AbortController().signal,
    environment: { APP_KEY: "key-of-the-app" },
    cacheDirectory: "",
    progress: () => {},
  })
  try {
    const now = systemClock.now()
    return await session.request(
      {
        messages: [
          { role: "system", content: "Be short." },
          { role: "user", content: "Capital of France?" },
        ],
        parameters: { temperature: 0.5 },
      },
      {
        signal: new AbortController().signal,
        timeouts: { connectMs: 2000, firstTokenMs: 2000, gapMs: 2000, totalMs: 4000 },
        clock: systemClock,
        originMs: now,
        scheduledMs: now,
        sample,
        sampleId: sample.id,
      },
    )
  } finally {
    await session.close()
  }
}

describe("http", () => {
  it("posts the filled body, and finds answer, passages, usage and fields by their paths", async () => {
    const answer = await ask("/ask?v=2", {
      body: {
        question: "{{ input }}",
        history: "{{ messages }}",
        user: "{{ metadata.user }}",
        second: "{{ metadata.deep.list[1] }}",
        line: "{{ id }}/{{ repeat }} at {{ parameters.temperature }}",
        fixed: [1, null, true],
      },
      answer: "data.answer",
      passages: "data.sources[*].text",
      usage: "usage",
      finishReason: "why",
      servedModel: "model",
      fields: { retrievedIds: "data.sources[*].id", first: "data.sources[0].id" },
      apiKeyVariable: "APP_KEY",
    })
    expect(asked.at(-1)).toMatchObject({
      path: "/ask?v=2",
      headers: { authorization: "Bearer key-of-the-app" },
      body: {
        question: "Capital of France?",
        history: [
          { role: "system", content: "Be short." },
          { role: "user", content: "Capital of France?" },
        ],
        user: "u-1",
        second: 2,
        line: "s1/0 at 0.5",
        fixed: [1, null, true],
      },
    })
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "It is Paris",
      finishReason: "stop",
      servedModel: "m-2",
      usage: { promptTokens: 9, completionTokens: 3 },
      returned: { passages: ["p1", "p2"], fields: { retrievedIds: [4, 7], first: 4 } },
    })
  })

  it("adds up the pieces of a stream, each stamped as it came", async () => {
    const answer = await ask("/stream", { answer: "delta", passages: "sources[*]" })
    expect(answer).toMatchObject({ outcome: "ok", text: "It is Paris", returned: { passages: ["p1"] } })
    const [first, second, ...more] = answer.log.events
    expect(more).toEqual([])
    expect(second?.atMs).toBeGreaterThanOrEqual(first?.atMs ?? Number.POSITIVE_INFINITY)
  })

  it("keeps what the server's own API says of its time, numbers of known names only", async () => {
    expect((await ask("/completion", { answer: "content" })).server).toMatchObject({
      timings: { prompt_n: 2, prompt_ms: 4, predicted_n: 3, predicted_ms: 30 },
    })
    expect(JSON.stringify((await ask("/completion", { answer: "content" })).server)).not.toContain("<b>")
    expect((await ask("/generate", { answer: "text" })).server).toMatchObject({
      meta_info: { e2e_latency: 0.05, queue_time: 0.01, completion_tokens: 3 },
    })
  })

  it("keeps the times that TGI states in the headers of its answer", async () => {
    const { server } = await ask("/tgi", { answer: "generated_text" })
    const stated = { total_time: 1250, validation_time: 2, queue_time: 48, inference_time: 1200, generated_tokens: 50 }
    expect(server).toMatchObject({ header_times: stated })
    expect(JSON.stringify(server)).not.toContain("<b>")
    expect(serverTimings(server)).toMatchObject({ source: "TGI", queueMs: 48, prefillMs: null, totalMs: 1250 })
    expect((await ask("/ask", { answer: "data.answer" })).server).not.toHaveProperty("header_times")
  })

  it("says which token counts cannot be true, and takes them as unknown", async () => {
    expect(await ask("/counts", { usage: "usage" })).toMatchObject({
      outcome: "ok",
      usage: { promptTokens: null, completionTokens: 3 },
      server: { unusableUsage: ["prompt_tokens"] },
    })
  })

  it("takes counts from beside the answer, by the root of the reply", async () => {
    const paths = { answer: "$.response", usage: "$", finishReason: "done_reason" }
    const { usage, log, outcome } = await ask("/api/generate", paths)
    expect([outcome, usage.promptTokens, usage.completionTokens, log.endOnly]).toEqual(["ok", 9, 3, true])
    const llama = await ask("/completion", { answer: "content", usage: "timings" })
    expect([llama.usage.promptTokens, llama.usage.completionTokens]).toEqual([2, 3])
  })

  it.each([
    ["/text", {}, "malformed", "not a JSON object"],
    ["/empty", { answer: "data.answer" }, "empty", ""],
    ["/busy", {}, "rate_limited", "slow down"],
    ["/down", {}, "http_5xx", "out of order"],
    ["/missing", {}, "http_4xx", "no such path"],
    ["/cut", { answer: "delta" }, "connection", ""],
    ["/filtered", { finishReason: "why" }, "refused", "content filter"],
    ["/ask", { body: { q: "{{ metadata.nobody }}" } }, "client_fault", "sample s1 has no value"],
  ] as const)("%s ends in its class", async (path, options, outcome, message) => {
    const answer = await ask(path, options)
    expect(answer.outcome).toBe(outcome)
    expect(answer.failure?.message ?? "").toContain(message)
  })

  it.each([
    [{ answer: "a..b" }, "not a path into JSON: answer"],
    [{ answer: "" }, "not a path into JSON"],
    [{ body: { q: "{{ references }}" } }, "a placeholder names nothing that a request has"],
    [{ url: "nowhere" }, "not a URL"],
  ])("refuses %j when the config is loaded", (options, message) => {
    expect(() => http({ url: "http://127.0.0.1/ask", body: {}, answer: "a", ...options })).toThrow(message)
  })

  it("shows no value of headers and no key in its identity", () => {
    const { identity } = http({
      url: "http://127.0.0.1/ask?sig=abcdef123456",
      body: { api_key: "zx81-abc-998877" },
      answer: "a",
      headers: { "x-app": "hidden-value-1" },
    })
    expect(JSON.stringify(identity)).not.toMatch(/abcdef123456|zx81|hidden-value/)
  })
})
