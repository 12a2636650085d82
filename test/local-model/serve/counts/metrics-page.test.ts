import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { metricsPage } from "../../../../src/local-model/serve/counts/metrics-page.ts"
import { createServerWindow } from "../../../../src/perf/server/collect-server-window.ts"
import { readServerMetrics } from "../../../../src/perf/server/read-metrics.ts"
import { openTestServer, prompts } from "../shared-server.ts"

interface Timed {
  readonly timings: { prompt_n: number; prompt_ms: number; predicted_n: number; predicted_ms: number }
}

describe("GET /metrics of a served model", () => {
  let opened: Awaited<ReturnType<typeof openTestServer>>
  beforeAll(async () => {
    opened = await openTestServer({ metrics: true })
  })
  afterAll(() => opened.server.stop())

  const page = async (base = opened.url) => await (await fetch(base.replace("/v1", "/metrics"))).text()
  const ask = (content: string, more: object = {}) =>
    opened.client.chat.completions.create({
      model: "tiny",
      messages: [{ role: "user", content }],
      temperature: 0,
      max_tokens: 12,
      ...more,
    } as Parameters<typeof opened.client.chat.completions.create>[0] & { stream?: false })

  it("is read as llama.cpp's, and says of a load what the answers' own timings say", async () => {
    const window = createServerWindow()
    window.add(await page(), "begin")
    const answers = (await Promise.all(prompts.slice(0, 3).map((text) => ask(text)))) as unknown as Timed[]
    const after = await page()
    window.add(after, "end")
    const figures = window.figures(answers.length)
    const sum = (of: (timings: Timed["timings"]) => number) =>
      answers.reduce((total, { timings }) => total + of(timings), 0)
    expect(figures?.dialect).toBe("llama.cpp")
    expect(figures?.counts.promptTokens).toMatchObject({ value: sum(({ prompt_n }) => prompt_n) })
    expect(figures?.counts.outputTokens).toMatchObject({ value: sum(({ predicted_n }) => predicted_n) })
    const { prefillMs, decodeMs, queueMs } = figures?.times ?? {}
    if (prefillMs?.status !== "known" || decodeMs?.status !== "known") throw new Error("a time is unknown")
    expect(prefillMs.value).toBeCloseTo(sum(({ prompt_ms }) => prompt_ms) / 3, 2)
    expect(decodeMs.value).toBeCloseTo(sum(({ predicted_ms }) => predicted_ms) / 3, 2)
    expect(queueMs).toEqual({ status: "unknown", reason: "llama.cpp does not state it" })
    expect([...(readServerMetrics(after)?.gauges ?? [])]).toEqual([
      ["running", 0],
      ["waiting", 0],
    ])
  })

  it("has no time of the step that only ends an answer, whose token is not counted: one token takes none", async () => {
    const answer = await ask("What is 6 minus 3?")
    expect(answer.choices[0]).toMatchObject({ finish_reason: "stop" })
    expect((answer as unknown as Timed).timings).toMatchObject({ predicted_n: 1, predicted_ms: 0 })
  })

  it("counts requests that run and wait, and what an answer wrote that was broken off", async () => {
    const before = readServerMetrics(await page())
    const stop = new AbortController()
    const streams = await Promise.all(
      [0, 1].map(() =>
        fetch(`${opened.url}/chat/completions`, {
          method: "POST",
          signal: stop.signal,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            messages: [{ role: "user", content: prompts[0] }],
            stream: true,
            ignore_eos: true,
          }),
        }),
      ),
    )
    const third = ask(prompts[1] as string)
    await expect
      .poll(async () => [...(readServerMetrics(await page())?.gauges ?? [])])
      .toEqual([
        ["running", 2],
        ["waiting", 1],
      ])
    stop.abort()
    await Promise.allSettled([...streams.map((stream) => stream.text()), third])
    await expect.poll(async () => readServerMetrics(await page())?.gauges.get("running")).toBe(0)
    const written = (metrics: typeof before) => metrics?.counters.get("outputTokens")?.get("[]") as number
    expect(written(readServerMetrics(await page()))).toBeGreaterThan(written(before) + 12)
  })

  it("counts the tokens of texts that are scored or embedded as read", async () => {
    const read = async () =>
      readServerMetrics(await page())
        ?.counters.get("promptTokens")
        ?.get("[]") as number
    const before = await read()
    const scored = await opened.client.completions.create({
      model: "tiny",
      prompt: "An apple.",
      max_tokens: 0,
      echo: true,
      logprobs: 1,
    })
    const embedded = await opened.client.embeddings.create({ model: "tiny", input: "An apple." })
    expect((await read()) - before).toBe((scored.usage?.prompt_tokens ?? 0) + embedded.usage.prompt_tokens)
  })

  it("is there where it is asked for, and with a token only for those who have it", async () => {
    const [plain, closed] = [await openTestServer(), await openTestServer({ metrics: true, token: "secret" })]
    try {
      const status = async (url: string, headers = {}) =>
        (await fetch(url.replace("/v1", "/metrics"), { headers })).status
      expect(await status(plain.url)).toBe(404)
      expect(await status(closed.url)).toBe(401)
      expect(await status(closed.url, { authorization: "Bearer secret" })).toBe(200)
    } finally {
      await Promise.all([plain.server.stop(), closed.server.stop()])
    }
  })

  it("has a help and a type for each metric", () => {
    const totals = { promptTokens: 32, promptMs: 40, writtenTokens: 64, writtenMs: 500 }
    const lines = metricsPage(totals, { busy: 1, waiting: 0 }).trimEnd().split("\n")
    expect(lines.slice(3, 6)).toEqual([
      "# HELP llamacpp:prompt_seconds_total Prompt process time",
      "# TYPE llamacpp:prompt_seconds_total counter",
      "llamacpp:prompt_seconds_total 0.04",
    ])
    expect(lines).toHaveLength(18)
  })
})
