import { describe, expect, it } from "vitest"
import { readChunks } from "../../src/capture/read-chunks.ts"

function read(...chunks: readonly unknown[]) {
  return readChunks(
    chunks.map((chunk, index) => ({
      data: typeof chunk === "string" ? chunk : JSON.stringify(chunk),
      name: "",
      atMs: index,
      complete: true,
    })),
  )
}

const delta = (value: unknown, rest: object = {}) => ({ choices: [{ index: 0, delta: value, ...rest }] })

describe("readChunks", () => {
  it("tells role, reasoning, content, usage and done apart, and gives empty deltas no bytes", () => {
    const { events, text, reasoning } = read(
      delta({ role: "assistant", content: "" }),
      delta({ reasoning_content: "hm" }),
      delta({ reasoning: "so" }),
      delta({ content: "é" }),
      delta({}, { finish_reason: "stop" }),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      "[DONE]",
    )
    expect(events.map(({ kind, bytes }) => `${kind} ${bytes}`)).toEqual([
      "role 0",
      "reasoning 2",
      "reasoning 2",
      "content 2",
      "content 0",
      "usage 0",
      "done 0",
    ])
    expect([text, reasoning]).toEqual(["é", "hmso"])
  })

  it("counts the tokens of a chunk by its log-probabilities, and does not guess without them", () => {
    const content = [
      { token: "a", logprob: -0.1, top_logprobs: [{ token: "b", logprob: -3 }] },
      { token: "c", logprob: -0.2 },
    ]
    const { events, logprobs } = read(delta({ content: "ac" }, { logprobs: { content } }), delta({ content: "d" }))
    expect(events.map(({ tokens }) => tokens)).toEqual([2, null])
    expect(logprobs).toEqual([
      { token: "a", logprob: -0.1, top: [{ token: "b", logprob: -3 }] },
      { token: "c", logprob: -0.2, top: [] },
    ])
  })

  it("puts tool calls together from their deltas", () => {
    const { toolCalls, events } = read(
      delta({ tool_calls: [{ index: 0, id: "a", function: { name: "find", arguments: "" } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"q":' } }] }),
      delta({ tool_calls: [{ index: 1, id: "b", function: { name: "add", arguments: "not json" } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"x"}' } }] }),
    )
    expect(toolCalls).toEqual([
      { name: "find", arguments: { q: "x" }, id: "a" },
      { name: "add", arguments: "not json", id: "b" },
    ])
    expect(events.map(({ kind }) => kind)).toEqual(["tool", "tool", "tool", "tool"])
  })

  it("keeps calls apart that a server gave one index and different ids", () => {
    const call = (id: string) => delta({ tool_calls: [{ index: 0, id, function: { name: id, arguments: "{}" } }] })
    expect(read(call("a"), call("b")).toolCalls.map(({ name }) => name)).toEqual(["a", "b"])
  })

  it("reads content that is a list of typed parts", () => {
    const thinking = [{ type: "text", text: "think" }]
    const { text, reasoning } = read(
      delta({
        content: [
          { type: "thinking", thinking },
          { type: "text", text: "say" },
        ],
      }),
    )
    expect([text, reasoning]).toEqual(["say", "think"])
  })

  it.each([
    // prompt, completion, total, reasoning as reported; completion and reasoning as billed
    ["OpenAI counts reasoning inside the completion", 20, 300, 320, 256, 300, 256],
    ["xAI counts it beside", 32, 9, 135, 94, 103, 94],
    ["Gemini counts it beside without a name", 21, 30, 111, undefined, 90, 60],
    ["a total that holds more than reasoning", 21, 30, 999, 60, 90, 60],
    ["a total that says nothing more", 21, 30, 51, undefined, 30, null],
    ["a total that is too small", 21, 30, 7, undefined, 30, null],
    ["no total", 21, 30, undefined, 12, 30, 12],
  ])("puts reasoning tokens inside the completion: %s", (_case, prompt, completion, total, reasoning, ...billed) => {
    const { usage } = read({
      choices: [],
      usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: total,
        completion_tokens_details: { reasoning_tokens: reasoning },
      },
    })
    expect([usage.completionTokens, usage.reasoningTokens]).toEqual(billed)
  })

  it("takes what the service states that it charged, with what one's own key costs elsewhere", () => {
    const charged = (value: object) => read({ choices: [], usage: { prompt_tokens: 9, ...value } }).usage.chargedUsd
    expect(charged({ cost: 0.00014, cost_details: { upstream_inference_cost: null }, is_byok: false })).toBe(0.00014)
    expect(charged({ cost: 0.25, cost_details: { upstream_inference_cost: 2 }, is_byok: false })).toBe(0.25)
    expect(charged({ cost: 0.25, cost_details: { upstream_inference_cost: 2 }, is_byok: true })).toBe(2.25)
    expect(charged({ cost: 0 })).toBe(0)
    for (const cost of [undefined, null, "0.1", -1, { total_cost: 1 }]) expect(charged({ cost })).toBeUndefined()
  })

  it("keeps the tier that the service says it served the call in, unless it is the usual one", () => {
    const tier = (service_tier: unknown) =>
      read({ choices: [], service_tier, usage: { prompt_tokens: 9, completion_tokens: 1 } }).usage.serviceTier
    expect(["flex", "priority", "default", "on_demand", null, 7].map(tier)).toEqual([
      "flex",
      "priority",
      ...Array(4).fill(undefined),
    ])
  })

  it("fills what the usage leaves out from llama.cpp's timings", () => {
    const timings = { cache_n: 80, prompt_n: 20, predicted_n: 35 }
    const counts = { promptTokens: 100, cachedPromptTokens: 80, completionTokens: 35 }
    expect(read({ choices: [], timings }).usage).toMatchObject(counts)
    expect(read({ choices: [], timings, usage: { prompt_tokens: 100, completion_tokens: 35 } }).usage).toMatchObject(
      counts,
    )
  })

  it("says what it assumed of a cache write without a lifetime", () => {
    const usage = { prompt_tokens: 900, completion_tokens: 1, cache_creation_input_tokens: 800 }
    const content = read({ choices: [], usage })
    expect(content.usage.cacheWriteTokens).toBe(800)
    expect(content.facts.assumedUsage).toEqual([expect.stringContaining("5 minutes")])
  })

  it("reads cached and reasoning tokens under the names in use, and leaves unknown what is not reported", () => {
    const usage = (value: object) => read({ choices: [], usage: value }).usage
    expect(
      usage({
        prompt_tokens: 10,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 3 },
      }),
    ).toEqual({ promptTokens: 10, cachedPromptTokens: 8, completionTokens: 5, reasoningTokens: 3 })
    expect(usage({ prompt_tokens: 10, prompt_cache_hit_tokens: 6 })).toEqual({
      promptTokens: 10,
      cachedPromptTokens: 6,
      completionTokens: null,
      reasoningTokens: null,
    })
  })

  it("keeps the server's timings and fingerprint", () => {
    const { facts, servedModel } = read({
      model: "m-1",
      system_fingerprint: "fp",
      timings: { predicted_ms: 5 },
      choices: [],
    })
    expect(facts).toEqual({ systemFingerprint: "fp", timings: { predicted_ms: 5 } })
    expect(servedModel).toBe("m-1")
  })

  it("takes Groq's word beside a text for why the stream was stopped early", () => {
    // ChatCompletionChunk.XGroq of groq/groq-typescript: "An error string indicating why a stream was stopped early".
    const { text, fault } = read(delta({ content: "half" }), {
      choices: [],
      x_groq: { id: "r", error: "over capacity" },
    })
    expect(text).toBe("half")
    expect(fault).toMatchObject({ kind: "error", message: "over capacity" })
    expect(read({ x_groq: { id: "r", error: null }, ...delta({ content: "a" }) }).fault).toBe(null)
  })

  it("does not take a null error for an error", () => {
    expect(read({ error: null, ...delta({ content: "a" }) }).fault).toBe(null)
  })
})
