import fc from "fast-check"
import type { Exchange } from "../../../src/capture/exchange.ts"
import { hasText, readAnswer } from "../../../src/capture/read-answer.ts"
import { createEventCutter } from "../../../src/providers/openai/event-cutter.ts"
import { createRedact } from "../../../src/text/redact.ts"
import { faultOf } from "../faults.ts"
import { byteEdits, editBytes, editJson, jsonEdits } from "../inputs.ts"
import { surface } from "../surface.ts"

const chunks = [
  { id: "1", model: "m", choices: [{ index: 0, delta: { role: "assistant", content: "Hel" } }] },
  {
    choices: [
      {
        index: 0,
        delta: {
          content: "lo",
          reasoning_content: "hm",
          tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: '{"a":' } }],
        },
        logprobs: {
          content: [{ token: "lo", logprob: -0.1, bytes: [108, 111], top_logprobs: [{ token: "x", logprob: -3 }] }],
        },
      },
    ],
  },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], timings: { predicted_ms: 3 }, system_fingerprint: "fp" },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } } },
]

/** Bodies of answers, cut into reads anywhere, as both transports hand them over. */
export const eventStreams = surface(
  "event streams and other bodies of answers",
  14,
  () => {
    const stream = (values: readonly unknown[]) =>
      Buffer.from(`${values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")}data: [DONE]\n\n`)
    return fc.record({
      body: fc.oneof(
        fc.tuple(jsonEdits(3), fc.boolean()).map(([edits, whole]) => {
          const value = editJson(chunks, edits)
          const list = Array.isArray(value) ? value : [value]
          return whole ? Buffer.from(JSON.stringify(list[0]) ?? "") : stream(list)
        }),
        byteEdits().map((edits) => editBytes(stream(chunks), edits)),
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      ),
      cuts: fc.array(fc.nat(2000), { maxLength: 8 }),
      status: fc.constantFrom(200, 200, 200, 201, 204, 400, 401, 429, 500, 302, null),
      header: fc.constantFrom(
        ["content-type", "text/event-stream"],
        ["content-type", "application/json"],
        ["content-encoding", "gzip"],
        ["retry-after", "-5"],
        ["retry-after", "9".repeat(40)],
        ["retry-after", "Thu, 99 Foo"],
      ),
      broken: fc.boolean(),
    })
  },
  ({ body, cuts, status, header, broken }) => {
    const places = [...new Set([0, ...cuts.map((cut) => cut % (body.length + 1)), body.length])].sort((a, b) => a - b)
    const reads = places.slice(1).map((end, i) => body.subarray(places[i], end))
    const stampsMs = reads.map((_, i) => 10 + i)
    const exchange: Exchange = {
      sendMs: 1,
      connectMs: null,
      headersMs: 5,
      endMs: 100,
      status,
      headers: new Map([header as [string, string]]),
      chunks: reads,
      stampsMs,
      interruption: broken ? { outcome: "connection", message: "reset" } : null,
    }
    return faultOf(() => {
      const cutter = createEventCutter()
      const events = [...reads.flatMap((read) => cutter.add(read)), cutter.rest()]
      if (!Buffer.concat(events).equals(body)) throw new Error("the cutter changed the bytes")
      hasText({ chunks: reads, stampsMs, contentEncoding: undefined })
      const redact = createRedact(["s3cret-word"])
      const context = {
        scheduledMs: 0,
        originMs: 0,
        promisedJson: cuts.length > 4,
        transport: "undici",
        redact,
        wallMs: 1e12,
      }
      const answer = readAnswer(exchange, context)
      const { usage, retryAfterMs, log } = answer
      const counts = [usage.promptTokens, usage.completionTokens, usage.cachedPromptTokens, usage.reasoningTokens]
      const wrong = [...counts, retryAfterMs].filter((own) => own !== null && !(Number.isFinite(own) && own >= 0))
      if (wrong.length > 0) throw new Error(`a count that cannot be: ${wrong.join(", ")}`)
      if (answer.outcome === "ok" && broken && !body.includes("[DONE]") && answer.finishReason === null)
        throw new Error("a broken exchange counts as a whole answer")
      if (log.events.some(({ bytes }) => bytes < 0)) throw new Error("negative bytes")
      JSON.stringify(answer)
    })
  },
)
