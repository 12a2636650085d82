import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { systemClock } from "../../../src/core/clock.ts"
import type { RequestOptions } from "../../../src/core/provider.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { requestFigures } from "../../../src/perf/request-figures.ts"
import { stageMilliseconds } from "../../../src/perf/stage-times.ts"
import type { AnswerFunction } from "../../../src/providers/function/types.ts"
import { type FromFunctionOptions, fromFunction } from "../../../src/providers/function.ts"

const sample: Sample = {
  id: "s1",
  input: "question",
  references: ["the secret reference"],
  context: [],
  choices: [],
  expectedTools: [{ name: "secret tool", arguments: {} }],
  label: "secret label",
  metadata: { tenant: "a" },
}

async function ask(answer: AnswerFunction, overrides: Partial<RequestOptions> = {}, options: FromFunctionOptions = {}) {
  const session = await fromFunction(answer, options).open({
    clock: systemClock,
    signal: new AbortController().signal,
    environment: {},
    cacheDirectory: "",
    progress: () => {},
  })
  const now = systemClock.now()
  return session.request(
    { messages: [{ role: "user", content: "question" }], parameters: { temperature: 0 } },
    {
      signal: new AbortController().signal,
      timeouts: { connectMs: 1000, firstTokenMs: 1000, gapMs: 1000, totalMs: 1000 },
      clock: systemClock,
      originMs: now,
      scheduledMs: now,
      sample,
      sampleId: sample.id,
      repeat: 2,
      ...overrides,
    },
  )
}

describe("what a function may be", () => {
  it.each<[string, AnswerFunction]>([
    ["sync", () => "Paris"],
    ["async", async () => "Paris"],
    ["an object", () => ({ text: "Paris" })],
    ["given piece by piece", ({ onToken }) => ["Pa", "ris"].forEach(onToken) ?? {}],
    [
      "a generator",
      function* () {
        yield "Pa"
        yield "ris"
      },
    ],
    [
      "an async generator with a reply",
      async function* () {
        yield "Pa"
        yield "ris"
        return { passages: ["p"] }
      },
    ],
  ])("%s", async (_name, answer) => {
    const { text, outcome, failure } = await ask(answer)
    expect({ text, outcome, failure }).toEqual({ text: "Paris", outcome: "ok", failure: null })
  })

  it("gets the messages, the parameters, the repeat, and the sample without its answer key", async () => {
    let seen: unknown
    await ask((call) => {
      seen = call
      return "x"
    })
    expect(seen).toMatchObject({
      messages: [{ role: "user", content: "question" }],
      parameters: { temperature: 0 },
      repeat: 2,
      sample: { id: "s1", metadata: { tenant: "a" } },
    })
    expect(JSON.stringify(seen)).not.toContain("secret")
  })
})

describe("what it returns", () => {
  it("keeps passages, tool calls, usage in both spellings, cost and every other member", async () => {
    const reply = {
      text: "x",
      passages: ["a", "b"],
      toolCalls: [{ name: "look", arguments: { q: 1 } }],
      costUsd: 0.25,
      retrievedIds: [3, 1],
      model: "m-1",
    }
    const ours = await ask(() => ({ ...reply, usage: { promptTokens: 7, completionTokens: 2 } }))
    const wire = await ask(() => ({ ...reply, usage: { prompt_tokens: 7, completion_tokens: 2 } }))
    for (const answer of [ours, wire]) {
      expect(answer.usage).toMatchObject({ promptTokens: 7, completionTokens: 2, chargedUsd: 0.25 })
      expect(answer.returned).toEqual({ passages: ["a", "b"], fields: { retrievedIds: [3, 1] } })
      expect(answer.toolCalls).toEqual([{ name: "look", arguments: { q: 1 } }])
      expect(answer.servedModel).toBe("m-1")
    }
  })

  it.each([
    [{ input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 2 }],
    [{ input_tokens: 7, input_tokens_details: { cached_tokens: 2 }, output_tokens: 2 }],
    [{ promptTokenCount: 7, cachedContentTokenCount: 2, candidatesTokenCount: 2, totalTokenCount: 9 }],
  ])("reads the usage that a service's client gives: %j", async (usage) => {
    const answer = await ask(() => ({ text: "x", usage }))
    expect(answer.usage).toMatchObject({ promptTokens: 7, cachedPromptTokens: 2, completionTokens: 2 })
  })

  it.each<[string, () => unknown, string]>([
    ["nothing", () => undefined, "returned nothing"],
    ["a number", () => 7, "returned 7"],
    ["an object without text", () => ({}), "without text"],
    ["a text that is none", () => ({ text: 7 }), "text as 7"],
    ["passages that are no list", () => ({ text: "x", passages: "p" }), "passages as a string"],
    ["a passage that is no text", () => ({ text: "x", passages: [1] }), "passages[0] as 1"],
    ["a stage without a usable name", () => ({ text: "x", stages: { "a.b": 1 } }), "a stage is named"],
    ["a negative stage", () => ({ text: "x", stages: { a: -1 } }), "stages.a as -1"],
    [
      "a stage that ends before it begins",
      () => ({ text: "x", stages: [{ name: "a", startMs: 2, endMs: 1 }] }),
      "ends before",
    ],
    ["counts that cannot be true", () => ({ text: "x", usage: { prompt_tokens: -4 } }), "prompt_tokens"],
    ["a cost below 0", () => ({ text: "x", costUsd: -1 }), "costUsd as -1"],
    ["a field that is no JSON", () => ({ text: "x", score: 1n }), "score"],
    ["a function as a field", () => ({ text: "x", again: () => 1 }), "again as a function"],
    ["too much", () => ({ text: "x", blob: "y".repeat(5_000_000) }), "are kept at most"],
  ])("refuses %s as a failure of the sample", async (_name, answer, message) => {
    const { outcome, failure } = await ask(answer as AnswerFunction)
    expect(outcome).toBe("application_error")
    expect(failure?.message).toContain("sample s1: ")
    expect(failure?.message).toContain(message)
  })

  it("knows empty, cut off and refused answers", async () => {
    expect((await ask(() => "")).outcome).toBe("empty")
    expect((await ask(() => ({ text: "a", finishReason: "length" }))).outcome).toBe("length")
    expect((await ask(() => ({ finishReason: "content_filter" }))).outcome).toBe("refused")
  })
})

describe("what is measured", () => {
  it("times tokens as they come and stages as they run; a stage that comes again adds up", async () => {
    const { log } = await ask(async ({ onToken, stage }) => {
      await stage("retrieve", () => sleep(20))
      await stage("retrieve", () => sleep(20))
      await stage("generate", async () => {
        await sleep(10)
        onToken("a")
        await sleep(30)
        onToken("b")
      })
      return {}
    })
    const ms = stageMilliseconds(log)
    expect([...ms.keys()]).toEqual(["retrieve", "generate"])
    expect(ms.get("retrieve")).toBeGreaterThanOrEqual(39)
    expect(ms.get("generate")).toBeGreaterThanOrEqual(39)
    const [first, second] = log.events.map(({ atMs }) => atMs - log.sendMs)
    expect(first).toBeGreaterThanOrEqual(49)
    expect((second as number) - (first as number)).toBeGreaterThanOrEqual(29)
  })

  it("takes a text that was not given piece by piece as one that appears at the end", async () => {
    const { log } = await ask(async () => {
      await sleep(30)
      return "whole"
    })
    expect(log.events).toHaveLength(1)
    expect((log.events[0]?.atMs as number) - log.sendMs).toBeGreaterThanOrEqual(29)
  })

  it("knows no first token of a text in one piece, and does of one whose first piece came before", async () => {
    const timesOf = async (answer: AnswerFunction) => requestFigures((await ask(answer)).log, null)
    const whole = await timesOf(() => "whole")
    expect(whole).toMatchObject({ ttftMs: null, ttftAnyMs: null, e2eMs: expect.any(Number) })
    const begun = await timesOf(({ onToken }) => {
      onToken("be")
      return { text: "begun" }
    })
    expect(begun).toMatchObject({ ttftMs: expect.any(Number), e2eMs: expect.any(Number) })
  })
})

describe("when it goes wrong", () => {
  it.each([
    [new Error("index is gone"), "application_error", null],
    [Object.assign(new Error("slow down"), { status: 429 }), "rate_limited", 429],
    [Object.assign(new Error("no key"), { status: 401 }), "http_4xx", 401],
    [Object.assign(new Error("down"), { status: 503 }), "http_5xx", 503],
    ["a text", "application_error", null],
  ])("%s is a failure of its class", async (error, outcome, httpStatus) => {
    const answer = await ask(() => Promise.reject(error))
    expect(answer).toMatchObject({ outcome, httpStatus })
    expect(answer.failure?.message).toContain("sample s1: ")
  })

  it("keeps what came before an error, and the stages", async () => {
    const answer = await ask(async ({ onToken, stage }) => {
      onToken("half")
      await stage("generate", () => Promise.reject(new Error("cut")))
      return ""
    })
    expect(answer).toMatchObject({ outcome: "application_error", text: "half" })
    expect(answer.log.stages).toHaveLength(1)
  })

  it("ends a function that never ends at the total limit, and tells it so", async () => {
    let isCalled = false
    const answer = await ask(
      ({ signal }) => {
        signal.addEventListener("abort", () => (isCalled = true))
        return new Promise(() => {})
      },
      { timeouts: { connectMs: 50, firstTokenMs: 50, gapMs: 50, totalMs: 50 } },
    )
    expect(answer.outcome).toBe("timeout_total")
    expect(isCalled).toBe(true)
  })

  it("ends at once when the run is interrupted", async () => {
    const run = new AbortController()
    const waiting = ask(() => new Promise(() => {}), { signal: run.signal })
    run.abort(new Error("stop"))
    expect((await waiting).outcome).toBe("cancelled")
  })
})

describe("its identity", () => {
  const identity = (answer: AnswerFunction, options?: FromFunctionOptions) => fromFunction(answer, options).identity

  it("follows the function's text and its version", () => {
    expect(identity(() => "a")).not.toEqual(identity(() => "b"))
    const answer = () => "a"
    expect(identity(answer)).toEqual(identity(answer))
    expect(identity(answer, { version: "2" })).not.toEqual(identity(answer))
  })

  it("is refused without a function", () => {
    expect(() => fromFunction("text" as never)).toThrow("fromFunction needs a function")
  })
})
