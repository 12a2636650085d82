import { describe, expect, it } from "vitest"
import type { Exchange } from "../../src/capture/exchange.ts"
import { type ReadEvents, readAnswer } from "../../src/capture/read-answer.ts"
import { createLatencyLists } from "../../src/perf/latency-lists.ts"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { readAnthropic } from "../../src/providers/anthropic/read.ts"
import { readByPaths } from "../../src/providers/http/read-events.ts"
import { redactSecrets } from "../../src/text/secrets.ts"

function answerOf(body: string, read?: ReadEvents, rest: Partial<Exchange> = {}) {
  const exchange: Exchange = {
    ...{ sendMs: 0, connectMs: null, headersMs: 5, endMs: 900, status: 200, interruption: null },
    ...{ headers: new Map([["content-type", "application/json"]]), chunks: [Buffer.from(body)], stampsMs: [900] },
    ...rest,
  }
  return readAnswer(exchange, {
    ...{ scheduledMs: 0, originMs: 0, promisedJson: false, transport: "undici", redact: redactSecrets, wallMs: 0 },
    ...(read && { read }),
  })
}

const completion = (choice: object) => JSON.stringify({ object: "chat.completion", choices: [{ index: 0, ...choice }] })
const message = { role: "assistant", content: "Paris" }

describe("an answer in one piece where a stream was asked for", () => {
  it.each([
    ["a chat completion", answerOf(completion({ message, finish_reason: "stop" }))],
    ["one without a finish reason", answerOf(completion({ message }))],
    [
      "a message",
      answerOf(
        JSON.stringify({ type: "message", content: [{ type: "text", text: "Paris" }], stop_reason: "end_turn" }),
        readAnthropic,
      ),
    ],
  ])("is taken: %s", (_, answer) => {
    expect(answer).toMatchObject({ outcome: "ok", text: "Paris", failure: null })
  })

  it("has an end, and no time to a first token", () => {
    const { log } = answerOf(completion({ message, finish_reason: "stop" }))
    expect(requestFigures(log, 3)).toMatchObject({ e2eMs: 900, ttftMs: null, ttftFromIntentMs: null, ttftAnyMs: null })
  })

  it("says in the figures that the service did not stream", () => {
    const { log, usage, server } = answerOf(completion({ message, finish_reason: "stop" }))
    const lists = createLatencyLists()
    lists.add({ log, usage, server, retries: [], segment: 0, sampleId: "a", repeat: 0 })
    const { ttftMs, e2eMs } = lists.distributions("nothing")
    expect(ttftMs.p50).toMatchObject({ status: "unknown", reason: expect.stringContaining("did not stream") })
    expect(e2eMs.p50.status).toBe("known")
  })

  it("has no time to a first token of an application either", () => {
    const { log } = answerOf(
      '{"answer":"Paris"}',
      readByPaths({ answer: (value) => [(value as { answer: string }).answer] }),
    )
    expect(requestFigures(log, null)).toMatchObject({ e2eMs: 900, ttftMs: null, ttftAnyMs: null })
  })

  it("that is cut off is not taken", () => {
    const cut = { interruption: { outcome: "connection", message: "reset" } } as const
    expect(answerOf(completion({ message }).slice(0, -4), undefined, cut).outcome).toBe("connection")
  })
})

describe("a body that is no answer", () => {
  it.each([
    ["other JSON", '{"result":"Paris"}', "the service answered with JSON that is no complete answer of its interface"],
    ["a page", "<html>Sign in</html>", "the answer is no stream and not a JSON object: <html>Sign in</html>"],
  ])("is told by what came: %s", (_, body, words) => {
    const answer = answerOf(body)
    expect([answer.outcome, answer.failure?.message]).toEqual(["malformed", expect.stringContaining(words)])
    expect(answer.failure?.message).toContain(body)
  })

  it("is told as such in every protocol", () => {
    expect(answerOf('{"result":"Paris"}', readAnthropic).failure?.message).toContain('{"result":"Paris"}')
  })
})
