import { describe, expect, it } from "vitest"
import { serverDecodeSpeed, serverTimings } from "../../../src/perf/server/server-timings.ts"

describe("what a server says of one answer's time", () => {
  it("is read from llama.cpp's timings", () => {
    // tools/server/README.md of ggml-org/llama.cpp, "timings".
    const timings = {
      cache_n: 236,
      prompt_n: 1,
      prompt_ms: 30.958,
      prompt_per_token_ms: 30.958,
      prompt_per_second: 32.301828283480845,
      predicted_n: 35,
      predicted_ms: 661.064,
      predicted_per_token_ms: 18.887542857142858,
      predicted_per_second: 52.94494935437416,
    }
    const read = serverTimings({ transport: "undici", timings })
    expect(read).toMatchObject({ source: "llama.cpp", queueMs: null, prefillMs: 30.958, decodeMs: 661.064 })
    // 34 of the 35: the first token comes of the prompt's last batch (server_slot_stats::n_gen_steps, 2026). Earlier versions, as the one that
    // wrote these timings, divide all of them by the time of 34.
    expect(read && serverDecodeSpeed(read)).toBeCloseTo(34 / 0.661064, 9)
    expect(serverTimings({ timings: { ...timings, draft_n: 20, draft_n_accepted: 15 } })).toMatchObject({
      draftTokens: 20,
      acceptedTokens: 15,
    })
  })

  it("is read from Ollama's durations, which are nanoseconds, and the rest of their total is the queue", () => {
    // docs/api.md of ollama/ollama, the last object of /api/chat.
    const durations = {
      total_duration: 4_883_583_458,
      load_duration: 1_334_875,
      prompt_eval_count: 26,
      prompt_eval_duration: 342_546_000,
      eval_count: 282,
      eval_duration: 4_535_599_000,
    }
    const read = serverTimings({ durations })
    expect(read).toMatchObject({ source: "Ollama", loadMs: 1.334875, prefillMs: 342.546, decodeTokens: 282 })
    expect(read?.queueMs).toBeCloseTo(4.103583, 5)
    expect(read && serverDecodeSpeed(read)).toBeCloseTo(281 / 4.535599, 9)
    expect(serverTimings({ durations: { ...durations, total_duration: 1 } })?.queueMs).toBeNull()
  })

  it("is read from vLLM's metrics and from Groq's usage, which counts seconds", () => {
    const metrics = { time_to_first_token_ms: 21, generation_time_ms: 300, queue_time_ms: 4, tokens_per_second: 90 }
    expect(serverTimings({ metrics })).toMatchObject({ source: "vLLM", queueMs: 4, prefillMs: 21, totalMs: 325 })
    const times = { queue_time: 0.037, prompt_time: 0.0007, completion_time: 0.46, total_time: 0.4607 }
    const groq = serverTimings({ times: { ...times, completion_tokens: 46 } })
    expect(groq).toMatchObject({ source: "Groq", queueMs: 37, prefillMs: 0.7, decodeMs: 460 })
    expect(groq && serverDecodeSpeed(groq)).toBe(100)
  })

  it("is read from SGLang's meta_info, whose stamps are of one clock", () => {
    // managers/tokenizer_manager.py of sgl-project/sglang: seconds, stamps of the server's own clock.
    const info = {
      e2e_latency: 1.25,
      queue_time: 0.05,
      inference_time: 1.1,
      prefill_finished_ts: 1000.3,
      decode_finished_ts: 1001.3,
      completion_tokens: 50,
    }
    const read = serverTimings({ meta_info: info })
    expect(read).toMatchObject({ source: "SGLang", queueMs: 50, totalMs: 1250, decodeTokens: 50 })
    expect(read?.decodeMs).toBeCloseTo(1000, 6)
    expect(read?.prefillMs).toBeCloseTo(100, 6)
    expect(serverTimings({ meta_info: { ...info, inference_time: 0.5 } })?.prefillMs).toBeNull()
    expect(serverTimings({ meta_info: { ...info, decode_finished_ts: 999 } })?.decodeMs).toBeNull()
  })

  it.each([
    ["no facts", null],
    ["a text", "timings"],
    ["a list", [{ timings: {} }]],
    ["other facts", { transport: "sdk" }],
    ["empty timings", { timings: {} }],
    ["texts for numbers", { timings: { prompt_ms: "20", predicted_ms: "40" } }],
    ["negative times", { timings: { prompt_ms: -1, predicted_ms: -5 } }],
    ["years", { durations: { total_duration: 1e30, eval_duration: 1e30 } }],
    ["timings that are a list", { timings: [1, 2, 3] }],
  ])("is unknown from %s", (_, server) => {
    expect(serverTimings(server)).toBeNull()
  })

  it("has no speed of a single token, or of no time", () => {
    const speed = (predicted_n: unknown, predicted_ms: number) => {
      const read = serverTimings({ timings: { predicted_n: predicted_n as number, predicted_ms } })
      return read && serverDecodeSpeed(read)
    }
    expect([speed(1, 10), speed(20, 0), speed(2.5, 10), speed(-4, 10)]).toEqual([null, null, null, null])
  })
})
