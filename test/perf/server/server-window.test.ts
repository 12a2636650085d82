import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { createServerWindow } from "../../../src/perf/server/collect-server-window.ts"
import { parsePrometheus } from "../../../src/perf/server/prometheus.ts"
import { readServerMetrics } from "../../../src/perf/server/read-metrics.ts"
import {
  llamaCpp,
  lmDeploy,
  type MetricsPage,
  sglang,
  sglangUnderscore,
  tensorRt,
  tgi,
  triton,
  vllm,
} from "./metrics-pages.ts"

function windowOf({ before, after }: MetricsPage, requests: number | null = 10, failed = 0) {
  const collector = createServerWindow()
  collector.add(before, "begin")
  collector.add(after, "end")
  return collector.figures(requests, failed)
}

/** Known numbers only, rounded to a millionth. */
function numbers(window: ReturnType<typeof windowOf>) {
  if (!window) return null
  const { times, running, waiting, kvCacheUsage, prefixCacheHitRate, acceptance, acceptedLength, counts } = window
  const all = {
    ...times,
    running: running.most,
    waiting: waiting.most,
    kvCacheUsage: kvCacheUsage.most,
    prefixCacheHitRate,
    acceptance,
    acceptedLength,
    requests: counts.requests,
    preemptions: counts.preemptions,
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, figure]) => {
      const value = figureValue(figure)
      return value === null ? [] : [[name, Math.round(value * 1e6) / 1e6]]
    }),
  )
}

describe("what a server's /metrics say of a load", () => {
  it("is read of vLLM, its engines added up", () => {
    expect(windowOf(vllm)?.dialect).toBe("vLLM")
    expect(numbers(windowOf(vllm))).toEqual({
      queueMs: 20,
      prefillMs: 50,
      decodeMs: 800,
      ttftMs: 80,
      interTokenMs: 10,
      running: 5,
      waiting: 2,
      kvCacheUsage: 0.3,
      prefixCacheHitRate: 0.25,
      acceptance: 0.75,
      acceptedLength: 4,
      requests: 10,
      preemptions: 1,
    })
  })

  it("tells by vLLM's counters at which position of a guess its tokens were kept, and nothing where they are not told apart", () => {
    const shares = windowOf(vllm)?.acceptedByPosition.map(figureValue)
    expect(shares).toEqual([0.9, 0.8, 0.7, 0.6])
    // Together they are the tokens of a guess without the one that the model adds.
    expect(shares?.reduce<number>((sum, share) => sum + (share ?? 0), 0)).toBeCloseTo(3, 9)
    expect(windowOf(llamaCpp)?.acceptedByPosition).toEqual([])
    const idle = windowOf({ before: vllm.after, after: vllm.after })?.acceptedByPosition
    expect(idle?.[0]).toEqual({ status: "unknown", reason: "nothing of it happened meanwhile" })
  })

  it("is read of vLLM before its names changed", () => {
    const old = (text: string) =>
      text
        .replaceAll("kv_cache_usage_perc", "gpu_cache_usage_perc")
        .replaceAll("prefix_cache_", "gpu_prefix_cache_")
        .replaceAll("inter_token_latency", "time_per_output_token")
    const window = windowOf({ before: old(vllm.before), after: old(vllm.after) })
    expect(numbers(window)).toMatchObject({ kvCacheUsage: 0.3, prefixCacheHitRate: 0.25, interTokenMs: 10 })
  })

  it("counts nothing twice where a server states an older name beside the newer one", () => {
    const both = (text: string) =>
      text + text.replaceAll("prefix_cache_", "gpu_prefix_cache_").replaceAll('engine="', 'engine="old')
    const window = windowOf({ before: both(vllm.before), after: both(vllm.after) })
    expect(figureValue(window?.counts.cacheHits)).toBe(figureValue(windowOf(vllm)?.counts.cacheHits))
  })

  it("states percentiles as the edges of the histogram between which they lie", () => {
    const { p50, p99 } = windowOf(vllm)?.percentiles.ttftMs ?? {}
    // Of ten requests of the load four took up to 60 ms, six up to 80, all up to 100.
    expect(p50).toMatchObject({ value: 70, low: 60, high: 80, n: 10 })
    expect(p99).toMatchObject({ low: 80, high: 100 })
    expect(figureValue(p99)).toBeCloseTo(99.5, 9)
    expect(windowOf(tensorRt)?.percentiles.ttftMs.p50).toMatchObject({ status: "unknown" })
    const slow = vllm.after.replaceAll(/(le="(?:0.06|0.08|0.1)".*) [\d.]+/g, "$1 60")
    expect(windowOf({ before: vllm.before, after: slow })?.percentiles.ttftMs.p99).toMatchObject({
      value: 100,
      low: 100,
      high: null,
      warning: "above the histogram's last edge",
    })
  })

  it.each([
    ["with colons", sglang],
    ["with underscores", sglangUnderscore],
  ])("is read of SGLang %s, its total of cached tokens not counted again", (_, pages) => {
    expect(numbers(windowOf(pages))).toEqual({
      queueMs: 50,
      ttftMs: 200,
      interTokenMs: 15,
      acceptance: 0.5,
      acceptedLength: 2.5,
      running: 4,
      waiting: 2,
      kvCacheUsage: 0.28,
      prefixCacheHitRate: 0.4,
      requests: 10,
    })
  })

  it("is read of llama.cpp, whose times are shared out over the load's own requests", () => {
    const expected = { prefillMs: 40, decodeMs: 500, running: 4, waiting: 1, acceptance: 0.8, acceptedLength: 3 }
    expect(numbers(windowOf(llamaCpp))).toEqual(expected)
    const quoted = { before: JSON.stringify(llamaCpp.before), after: JSON.stringify(llamaCpp.after) }
    expect(numbers(windowOf(quoted))).toEqual(expected)
    expect(windowOf(llamaCpp)?.prefixCacheHitRate).toMatchObject({ reason: "llama.cpp does not state it" })
  })

  it("shares llama.cpp's times out over the requests that were answered, since it does not say which others it worked on", () => {
    const { decodeMs } = windowOf(llamaCpp, 14, 4)?.times ?? {}
    expect(decodeMs).toMatchObject({ value: 500, n: 10, high: 500 })
    expect(decodeMs?.status === "known" && decodeMs.low).toBeCloseTo(5000 / 14, 9)
    expect(windowOf(llamaCpp, 4, 4)?.times.decodeMs).toMatchObject({ status: "unknown" })
    // vLLM counts the requests that its times are of.
    expect(windowOf(vllm, 14, 4)?.times.prefillMs).toMatchObject({ value: 50, n: 10 })
  })

  it("is read of TGI and of Triton, whose times are microseconds in all", () => {
    expect(numbers(windowOf(tgi))).toEqual({
      queueMs: 30,
      e2eMs: 1100,
      running: 8,
      waiting: 3,
      requests: 10,
    })
    expect(numbers(windowOf(triton))).toEqual({ queueMs: 0.7, e2eMs: 12, waiting: 5, requests: 10 })
  })

  it("says why phases of TGI and of Triton are unknown", () => {
    const [ofTgi, ofTriton] = [windowOf(tgi)?.times, windowOf(triton)?.times]
    const part = "not when its prompt was read, and nothing in a streamed answer"
    for (const name of ["prefillMs", "decodeMs", "ttftMs"] as const) {
      expect(ofTgi?.[name]).toEqual({
        status: "unknown",
        reason: `TGI states the queue and the whole time of a request, ${part}`,
      })
      expect(ofTriton?.[name]).toEqual({
        status: "unknown",
        reason: `Triton counts the queue and the whole time of all requests together, ${part}`,
      })
    }
    // router/src/server.rs of huggingface/text-generation-inference: inference time / generated tokens.
    expect(ofTgi?.interTokenMs).toEqual({
      status: "unknown",
      reason: "TGI's time per token holds the reading of the prompt",
    })
  })

  it("is read of TensorRT-LLM, whose cache counts blocks, and of LMDeploy", () => {
    expect(numbers(windowOf(tensorRt))).toEqual({
      queueMs: 10,
      prefillMs: 30,
      decodeMs: 500,
      ttftMs: 45,
      interTokenMs: 12,
      e2eMs: 550,
      running: 6,
      waiting: 1,
      kvCacheUsage: 0.35,
      prefixCacheHitRate: 0.75,
      acceptance: 0.75,
      requests: 10,
    })
    expect(numbers(windowOf(lmDeploy))).toEqual({
      queueMs: 5,
      prefillMs: 20,
      decodeMs: 300,
      ttftMs: 30,
      interTokenMs: 10,
      e2eMs: 400,
      running: 3,
      waiting: 2,
      kvCacheUsage: 0.1,
    })
  })

  it("does not take SGLang's zeros for guessed tokens that were all refused", () => {
    const idle = (text: string) => text.replaceAll(/(spec_accept_\w+\{.*\}) [\d.]+/g, "$1 0.0")
    const window = windowOf({ before: idle(sglang.before), after: idle(sglang.after) })
    expect(window?.acceptance).toEqual({ status: "unknown", reason: "no tokens were guessed ahead" })
  })

  it.each([
    ["the process", "process_start_time_seconds 1.69e+09", "process_start_time_seconds 1.71e+09"],
    ["a counter", "1.7e+09", "1.72e+09"],
  ])("knows nothing where %s began anew, though every counter is above what it was", (_, was, is) => {
    const window = windowOf({ before: vllm.before, after: vllm.after.replaceAll(was, is) })
    expect(window?.warnings).toEqual(["the server was started anew: its metrics say nothing of this load"])
    expect(window?.percentiles.ttftMs.p50).toMatchObject({ status: "unknown" })
  })

  it("says when the server served others, and knows nothing after a restart", () => {
    expect(windowOf(vllm, 4)?.warnings).toEqual([
      "the server counted 10 requests, this load sent 4: it served others meanwhile",
    ])
    const restarted = windowOf({ before: vllm.after, after: vllm.before })
    expect(restarted?.warnings).toEqual(["the server was started anew: its metrics say nothing of this load"])
    expect(restarted?.times.queueMs).toEqual({
      status: "unknown",
      reason: "the server was started anew meanwhile",
    })
  })

  it("adds up blocks, and leaves out what lies between them", () => {
    const collector = createServerWindow()
    for (let block = 0; block < 2; block++) {
      collector.add(vllm.before, "begin")
      collector.add(vllm.after)
      collector.add(vllm.after, "end")
    }
    const figures = collector.figures(20)
    expect(figureValue(figures?.counts.requests)).toBe(20)
    expect(figureValue(figures?.times.queueMs)).toBeCloseTo(20, 9)
    expect(figures?.running.mean).toMatchObject({ n: 6 })
  })

  it.each([
    ["nothing", ""],
    ["a page", "<html><body>not found</body></html>"],
    ["a list of models", '{"object":"list","data":[{"id":"m"}]}'],
    ["another program's metrics", "python_gc_objects_collected_total 5\nprocess_cpu_seconds_total 3\n"],
    ["a name that only begins alike", "nvidia_temperature 50\nvllmish_running 3\n"],
    ["half of a text", '"# HELP llamacpp:prompt_tokens_total'],
  ])("is nothing of %s", (_, text) => {
    expect(readServerMetrics(text)).toBeNull()
  })
})

describe("Prometheus' text format", () => {
  it("is read with escapes, times, exemplars and special values", () => {
    const text = String.raw`a{x="q\"uo\\te\n",y="b}c, d"} 1.5 1712345678
b 2 # {trace_id="x"} 0.5
c{} +Inf
d NaN
e -3e-2`
    expect(parsePrometheus(text).map(({ name, labels, value }) => [name, { ...labels }, value])).toEqual([
      ["a", { x: 'q"uo\\te\n', y: "b}c, d" }, 1.5],
      ["b", {}, 2],
      ["c", {}, Number.POSITIVE_INFINITY],
      ["d", {}, Number.NaN],
      ["e", {}, -0.03],
    ])
  })

  it("passes over what it cannot read, in linear time", () => {
    const hostile = [
      'a{x="',
      'a{x="1"',
      "a{x=1} 2",
      "a{__proto__} 3",
      "1a 4",
      "a b",
      "a 0x10",
      `a{${'x="1",'.repeat(500)}} 1`,
      `b${"\\".repeat(100_000)} 1`,
      `c{x="${"\\".repeat(8000)}"} 1`,
      "\u0000 \u202e 5",
    ]
    expect(parsePrometheus(hostile.join("\n"))).toEqual([{ name: "c", labels: { x: "\\".repeat(4000) }, value: 1 }])
    const many = parsePrometheus("x 1\n".repeat(60_000))
    expect(many).toHaveLength(50_000)
    const [proto] = parsePrometheus('a{__proto__="x",constructor="y"} 1')
    expect(proto?.labels.constructor).toBe("y")
    expect(({} as { x?: string }).x).toBeUndefined()
  })
})
