import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { createServerWindow } from "../../../src/perf/server/collect-server-window.ts"
import { readServerMetrics } from "../../../src/perf/server/read-metrics.ts"
import { llamaCpp, vllm } from "./metrics-pages.ts"

/** A server of llama.cpp's that has read so many tokens in so many seconds. */
const page = (tokens: number, seconds: number) =>
  `llamacpp:prompt_tokens_total ${tokens}\nllamacpp:prompt_seconds_total ${seconds}\nllamacpp:requests_processing 1\n`

describe("a server's /metrics that are odd", () => {
  it("are known to have begun anew in the middle, though all counters end above where they began", () => {
    const collector = createServerWindow()
    collector.add(page(100, 1), "begin")
    collector.add(page(5000, 50))
    // It was killed and started again, and served more than it had before.
    collector.add(page(20, 0.2))
    collector.add(page(900, 9), "end")
    const figures = collector.figures(10)
    expect(figures?.warnings).toEqual(["the server was started anew: its metrics say nothing of this load"])
    expect(figures?.counts.promptTokens).toEqual({ status: "unknown", reason: "the server was started anew meanwhile" })
  })

  it("do not hold a counter's whole past where its first reading was no number", () => {
    const collector = createServerWindow()
    collector.add(page(Number.NaN, -1), "begin")
    collector.add(page(5_000_000, 90_000), "end")
    const figures = collector.figures(10)
    expect(figures?.counts.promptTokens.status).toBe("unknown")
    expect(figures?.times.prefillMs.status).toBe("unknown")
    expect(figures?.warnings).toEqual([])
  })

  it("are not called a server that began anew where its last reading is no number", () => {
    const collector = createServerWindow()
    collector.add(vllm.before, "begin")
    collector.add(vllm.after.replaceAll(/(request_queue_time_seconds_sum\{engine="1".*\}) .*/g, "$1 NaN"), "end")
    const figures = collector.figures(10)
    expect(figures?.warnings).toEqual([])
    expect(figures?.times.queueMs).toEqual({ status: "unknown", reason: "vLLM does not state it" })
    expect(figureValue(figures?.times.prefillMs)).toBeCloseTo(50, 9)
  })

  it("have no gauge of which one engine's part is no number", () => {
    const odd = vllm.before.replaceAll(/(num_requests_running\{engine="1".*\}) .*/g, "$1 NaN")
    expect(readServerMetrics(odd)?.gauges.has("running")).toBe(false)
  })

  it("say nothing of a block whose end could not be read, and do not count its requests", () => {
    const collector = createServerWindow()
    expect(collector.add(llamaCpp.before, "begin")).toBe(false)
    expect(collector.add(null, "end")).toBe(false)
    expect(collector.figures(10)).toBeNull()
    expect(collector.add(llamaCpp.before, "begin")).toBe(false)
    expect(collector.add(llamaCpp.after, "end")).toBe(true)
    expect(figureValue(collector.figures(10)?.times.prefillMs)).toBeCloseTo(40, 9)
  })

  it("are none where the page is longer than is read", () => {
    const filler = Array.from({ length: 60_000 }, (_, i) => `x_${i} 1\n`).join("")
    expect(readServerMetrics(page(1, 1) + filler)).toBeNull()
  })
})
