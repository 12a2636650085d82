import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command as importCommand } from "../../src/cli/commands/import.ts"
import { command as compareCommand } from "../../src/cli/compare/compare.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, importJson } from "./support.ts"

const folder = scratchDirectory()

/** What every tool below writes down in its own shape: 60 requests, two in flight, 5 chunks of one token each. */
interface Request {
  readonly startS: number
  readonly ttftS: number
  readonly gapsS: readonly number[]
}

/** The spread of a request's times: seeded by its number, so that medians have intervals. */
const requestsOf = (ttftS: number): readonly Request[] =>
  Array.from({ length: 60 }, (_, i) => ({
    startS: Math.floor(i / 2) * 0.5,
    ttftS: ttftS + ((i * 37) % 60) / 6000,
    gapsS: [0.02, 0.02, 0.02, 0.02],
  }))

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const e2eS = ({ ttftS, gapsS }: Request) => ttftS + sum(gapsS)

function write(name: string, value: unknown): string {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value))
  return name
}

const aiperf = (requests: readonly Request[], withChunks = true) => {
  const record = (request: Request, phase = "profiling") => ({
    metadata: {
      ...{ session_num: 0, worker_id: "w", record_processor_id: "p", benchmark_phase: phase, was_cancelled: false },
      request_start_ns: 1.7e18 + Math.round(request.startS * 1e9),
      request_end_ns: 1.7e18 + Math.round((request.startS + e2eS(request)) * 1e9),
    },
    metrics: {
      time_to_first_token: { value: request.ttftS * 1000, unit: "ms" },
      request_latency: { value: e2eS(request) * 1000, unit: "ms" },
      output_sequence_length: { value: 5, unit: "tokens" },
      input_sequence_length: { value: 20, unit: "tokens" },
      ...(withChunks && { inter_chunk_latency: { value: request.gapsS.map((gap) => gap * 1000), unit: "ms" } }),
    },
    error: null,
  })
  const failed = {
    ...record(requests[0] as Request),
    metrics: {},
    error: { code: 503, type: "Server", message: "busy" },
  }
  return [record({ startS: -9, ttftS: 9, gapsS: [] }, "warmup"), ...requests.map((one) => record(one)), failed]
    .map((row) => JSON.stringify(row))
    .join("\n")
}

const vllm = (requests: readonly Request[], more: object = {}) => ({
  ...{
    date: "20261001",
    backend: "openai-chat",
    model_id: "org/m",
    num_prompts: 60,
    request_rate: "inf",
    max_concurrency: 2,
  },
  ...{ duration: 15, completed: 60, failed: 1, request_throughput: 4, output_throughput: 20, mean_ttft_ms: 200 },
  input_lens: [...requests.map(() => 20), 20],
  output_lens: [...requests.map(() => 5), 0],
  ttfts: [...requests.map(({ ttftS }) => ttftS), 0],
  itls: [...requests.map(({ gapsS }) => gapsS), []],
  start_times: [...requests.map(({ startS }) => 1000 + startS), 1000],
  errors: [...requests.map(() => ""), "Traceback …\nClientConnectorError: cannot connect"],
  ...more,
})

const guidellm = (requests: readonly Request[]) => ({
  metadata: { version: 2, guidellm_version: "0.6.0" },
  config: { backend: { model: "org/m" } },
  benchmarks: [
    {
      config: { strategy: { type_: "concurrent", streams: 2 }, backend: { model: "org/m" } },
      metrics: { time_to_first_token_ms: { successful: { mean: 205, median: 205 } } },
      requests: {
        successful: requests.map((request) => ({
          ...{ request_id: "r", prompt_tokens: 20, output_tokens: 5 },
          info: {
            timings: {
              request_start: 1.7e9 + request.startS,
              first_token_iteration: 1.7e9 + request.startS + request.ttftS,
              last_token_iteration: 1.7e9 + request.startS + e2eS(request),
              request_end: 1.7e9 + request.startS + e2eS(request),
            },
          },
        })),
        errored: [{ info: { error: "timed out", timings: { request_start: 1.7e9, request_end: 1.7e9 + 0.3 } } }],
        incomplete: [],
      },
    },
  ],
})

const inferencePerf = (requests: readonly Request[]) => [
  ...requests.map((request) => {
    let at = request.startS + request.ttftS
    return {
      ...{
        start_time: request.startS,
        end_time: request.startS + e2eS(request),
        request: '{"model":"org/m"}',
        response: "…",
      },
      info: {
        input_tokens: 20,
        response_metrics: { output_tokens: 5, chunk_times: [at, ...request.gapsS.map((gap) => (at += gap))] },
      },
      error: null,
    }
  }),
  {
    start_time: 0,
    end_time: 3,
    request: "",
    response: null,
    info: { input_tokens: 20 },
    error: { error_type: "Timeout", error_msg: "" },
  },
]

const tools = {
  aiperf: (requests: readonly Request[]) => aiperf(requests),
  "vllm-bench": (requests: readonly Request[]) => vllm(requests),
  guidellm: (requests: readonly Request[]) => guidellm(requests),
  "inference-perf": (requests: readonly Request[]) => inferencePerf(requests),
}

/** The one level of a file, as `import --json` gives it. */
async function levelOf(name: string) {
  const { json } = await importJson(folder, name)
  const [one] = json as unknown as {
    recognised: string
    samples: number
    answers: number
    levels: Record<string, never>[]
  }[]
  return { ...one, row: one?.levels[0] as unknown as Record<string, { p50: number; mean: number } & number> }
}

describe("logs of load tools", () => {
  it.each(Object.entries(tools))(
    "%s: the same requests have the same figures as by every other tool",
    async (tool, make) => {
      const { recognised, samples, answers, row } = await levelOf(write(`${tool}.json`, make(requestsOf(0.2))))
      expect({ recognised, samples, answers }).toEqual({ recognised: tool, samples: 61, answers: 60 })
      expect(row.ttft_ms?.p50).toBeCloseTo(204.917, 2)
      expect(row.tpot_ms?.p50).toBeCloseTo(20, 3)
      expect(row.e2e_ms?.p50).toBeCloseTo(284.917, 2)
      if (tool === "guidellm")
        expect(row).toMatchObject({
          itl_ms: null,
          unknown: { itl_ms: expect.stringContaining("no time of each chunk") },
        })
      else expect(row.itl_ms?.mean).toBeCloseTo(20, 6)
      // Two requests begin every half second.
      expect(Number(row.requests_per_second)).toBeGreaterThan(3.7)
      expect(Number(row.requests_per_second)).toBeLessThan(4.3)
      expect(Number(row.system_tps)).toBeCloseTo(5 * Number(row.requests_per_second), 6)
      expect(row.outcomes).toMatchObject({ ok: 60 })
      expect(row).toMatchObject({ client: null, as_printed_by: {} })
    },
  )

  it.each(Object.entries(tools))("%s: two of them become a verdict in one command", async (tool, make) => {
    const [a, b] = [write(`a-${tool}.json`, make(requestsOf(0.2))), write(`b-${tool}.json`, make(requestsOf(0.3)))]
    const { code, json } = await compareJson(folder, a, b)
    expect(code).toBe(3)
    expect(json.recognised).toEqual({ a: tool, b: tool })
    expect(json.metrics.ttft_ms).toMatchObject({ n_a: 60, n_b: 60, verdict: "slower" })
    expect(json.metrics.ttft_ms.difference).toBeCloseTo(100, 2)
    expect(json.metrics.tpot_ms).toMatchObject({ verdict: "no clear difference" })
    expect(json.metrics.requests_per_second).toMatchObject({ verdict: "no clear difference" })
    expect((await compareJson(folder, b, a)).code).toBe(0)
    const io = fakeIo({ cwd: folder })
    await compareCommand.run({ a, b }, io)
    expect(io.stdout()).toMatch(/one level each +TTFT +205 ms +305 ms +\+48\.\d % +slower/)
  })

  it("of different tools are compared, and it is said that their clients differ", async () => {
    const { json } = await compareJson(
      folder,
      write("x.jsonl", aiperf(requestsOf(0.2))),
      write("y.json", vllm(requestsOf(0.2))),
    )
    expect(json.recognised).toEqual({ a: "aiperf", b: "vllm-bench" })
    expect(json.notes.join()).toContain("measured by different clients")
  })

  it("without raw stamps keep the tool's own figures, under its own names, without a verdict", async () => {
    const summary = (ttft: number) => ({
      ...{
        schema_version: "1.0",
        aiperf_version: "0.13",
        input_config: {
          models: { items: [{ name: "org/m" }] },
          phases: [
            { kind: "warmup", concurrency: 1 },
            { kind: "profiling", concurrency: 8 },
          ],
        },
      },
      request_count: { unit: "requests", avg: 32 },
      error_request_count: { unit: "requests", avg: 8 },
      time_to_first_token: { unit: "ms", avg: ttft, p50: ttft, p99: ttft * 2 },
      request_throughput: { unit: "requests/sec", avg: 4 },
    })
    const { row, samples, answers } = await levelOf(write("s1.json", JSON.stringify(summary(200), null, 2)))
    expect([samples, answers]).toEqual([40, 32])
    expect(row).toMatchObject({
      variant: "org/m",
      concurrency: 8,
      requests: null,
      stated: { "time_to_first_token.p50 (ms)": 200 },
    })
    const before = { endpoint: { model_names: ["org/m"] }, loadgen: { concurrency: 8 } }
    const former = await levelOf(write("s0.json", { ...summary(200), input_config: before }))
    expect(former.row).toMatchObject({ variant: "org/m", concurrency: 8 })
    expect(row.ttft_ms?.p50).toBeNull()
    const { code, json } = await compareJson(folder, "s1.json", write("s2.json", summary(300)))
    expect(code).toBe(4)
    const level = expect.stringContaining("as aiperf states it")
    expect(json.levels).toContainEqual(expect.objectContaining({ level, a: 200, b: 300, verdict: "no interval" }))
    const { start_times: _, ...older } = vllm(requestsOf(0.2))
    const old = await levelOf(write("old.json", older))
    expect(old.row).toMatchObject({ requests_per_second: null, stated: { request_throughput: 4 } })
    expect(old.row.ttft_ms?.p50).toBeCloseTo(204.917, 2)
  })

  it("of several levels pair by their load; --append-result is a level a line", async () => {
    const lines = (ttft: number) =>
      [1, 2].map((slots) => JSON.stringify(vllm(requestsOf(ttft), { max_concurrency: slots }))).join("\n")
    const { json } = await compareJson(folder, write("l1.json", lines(0.2)), write("l2.json", lines(0.1)))
    expect(json.levels.filter(({ name }: { name: string }) => name === "ttft_ms")).toMatchObject([
      { level: "1 in flight", verdict: "faster" },
      { level: "2 in flight", verdict: "faster" },
    ])
  })

  it("that are damaged or of wrong types are left out or refused with the place, and nothing is stored", async () => {
    const own = scratchDirectory()
    const put = (name: string, value: unknown) => {
      writeFileSync(join(own, name), typeof value === "string" ? value : JSON.stringify(value))
      return name
    }
    const odd = vllm(requestsOf(0.2), {
      ttfts: ["x", null, -1, 0.2],
      itls: [null, 3, [], ["y", {}]],
      errors: { a: 1 },
      output_lens: "no",
    })
    expect((await importJson(own, put("odd.json", odd))).json).toMatchObject([
      {
        recognised: "vllm-bench",
        samples: 1,
        skipped: [{ where: "odd.json#0.ttfts[0]" }, { where: "odd.json#0.ttfts[1]" }, { where: "odd.json#0.ttfts[2]" }],
      },
    ])
    const broken = `${aiperf(requestsOf(0.2)).slice(0, -30)}\n{"metadata":{"__proto__":{"polluted":1}}}`
    const { json } = await importJson(own, put("broken.jsonl", broken))
    expect(json[0]?.skipped).toMatchObject([{ where: "broken.jsonl:62" }, { where: "broken.jsonl:63" }])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    for (const [name, value] of [
      ["cut.json", JSON.stringify(guidellm(requestsOf(0.2)), null, 1).slice(0, 4000)],
    ] as const)
      await expect(importJson(own, put(name, value))).rejects.toThrow(/not JSON: cut off, or damaged/)
    mkdirSync(join(own, "f"))
    put("plain.jsonl", '{"id":"1","output":"x"}\n')
    await expect(compareJson(own, "odd.json", "plain.jsonl")).rejects.toThrow(/a load can only be compared with a load/)
    expect(await importCommand.run({ files: ["odd.json", "plain.jsonl"] }, fakeIo({ cwd: own }))).toBe(5)
  })

  it("are shown as a table", async () => {
    const io = fakeIo({ cwd: folder })
    expect(await importCommand.run({ files: [write("shown.jsonl", aiperf(requestsOf(0.2), false))] }, io)).toBe(0)
    expect(io.stdout()).toContain("a load test of AIPerf, 61 requests, 60 answered, 1 level of load")
    expect(io.stdout()).toMatch(/60 of 61 +205\/210 +20\.0 +\? +285\/290/)
  })
})

describe("counts that a tool states", () => {
  it("SGLang's file is SGLang's: its requests that failed count, and its own option is named", async () => {
    const { input_lens, output_lens, ttfts, itls, errors, start_times, model_id, ...summary } = vllm([])
    const sglang = {
      ...summary,
      mean_e2e_latency_ms: 400,
      total_output_tokens_retokenized: 300,
      completed: 57,
      num_prompts: 60,
    }
    write("sglang.jsonl", { ...sglang, failed: undefined })
    const io = fakeIo({ cwd: folder })
    await importCommand.run({ files: ["sglang.jsonl"] }, io)
    expect(io.stdout()).toContain("a load test of SGLang, 60 requests, 57 answered")
    expect(io.stdout()).toContain("--output-details")
    expect(io.stdout()).not.toContain("--save-detailed")
  })

  it("GuideLLM's totals count where its report holds a sample of the requests", async () => {
    const report = guidellm(requestsOf(0.2).slice(0, 5))
    const [benchmark] = report.benchmarks
    write("sampled.json", {
      ...report,
      benchmarks: [{ ...benchmark, request_totals: { successful: 90, errored: 10, incomplete: 0, total: 100 } }],
    })
    const { samples, answers, row } = await levelOf("sampled.json")
    expect([samples, answers, row.ttft_ms?.p50]).toEqual([100, 90, null])
    expect(row.stated).toMatchObject({ "time_to_first_token_ms.median": 205 })
  })
})

describe("figures that load tools state", () => {
  const latency = { p50: 0.2, mean: 0.21 }
  const table: readonly (readonly [name: string, content: unknown, tool: string, facts: object])[] = [
    [
      "summary_lifecycle_metrics.json",
      {
        load_summary: { count: 10, requested_rate: 2 },
        successes: { count: 9, latency: { time_to_first_token: latency } },
        failures: { count: 1 },
      },
      "inference-perf",
      { requests: 10, answered: 9, "successes.latency.time_to_first_token.p50": 0.2 },
    ],
    [
      "llmperf_summary.json",
      {
        ...{ model: "m", num_concurrent_requests: 2, results_inter_token_latency_s_quantiles_p50: 0.02 },
        ...{ results_ttft_s_mean: 0.2, results_num_completed_requests: 9, results_number_errors: 1 },
      },
      "llmperf",
      { requests: 10, answered: 9, ttft_s_mean: 0.2 },
    ],
    [
      "k6.json",
      {
        root_group: {},
        metrics: {
          http_reqs: { count: 10, rate: 2 },
          http_req_failed: { value: 0.1 },
          http_req_duration: { med: 200 },
        },
      },
      "k6",
      { requests: 10, answered: 9, "http_req_duration.med": 200 },
    ],
    [
      "llama-bench.json",
      [
        { model_type: "llama 8B", n_prompt: 512, n_gen: 0, avg_ts: 900 },
        { model_type: "llama 8B", n_prompt: 0, n_gen: 128, avg_ts: 60 },
        { model_type: "llama 8B", n_prompt: 0, n_gen: 128, avg_ts: 61 },
      ],
      "llama-bench",
      {
        "llama 8B pp512 (tokens/s)": 900,
        "llama 8B tg128 (tokens/s)": 60,
        "llama 8B tg128 (tokens/s), result 2": 61,
      },
    ],
    [
      "llama-bench.jsonl",
      '{"model_type":"m","n_prompt":512,"n_gen":0,"avg_ts":900}\n{"model_type":"m","n_prompt":0,"n_gen":128,"avg_ts":60}\n',
      "llama-bench",
      { "m pp512 (tokens/s)": 900, "m tg128 (tokens/s)": 60 },
    ],
    [
      "run_stats.csv",
      'Type,Name,Request Count,Failure Count,Average Response Time,50%\nPOST,"/v1, chat",9,0,5.5,N/A\nGET,/x,3,3,4,4\n,Aggregated,12,3,5.125,5\n',
      "locust",
      { requests: 12, answered: 9, "50%": 5, "POST /v1, chat: Average Response Time": 5.5 },
    ],
    [
      "run_locust.json",
      [
        {
          ...{ name: "/v1", method: "POST", num_requests: 4, num_failures: 1, total_response_time: 20 },
          response_times: { 5: 4 },
        },
      ],
      "locust",
      { requests: 4, answered: 3, "POST /v1: Average Response Time": 5 },
    ],
    [
      "mlperf_log_summary.txt",
      "=====\nMLPerf Results Summary\n=====\nSUT name : m\nSamples per second: 12.5\nResult is : INVALID\n",
      "loadgen",
      { "Samples per second": 12.5 },
    ],
  ]

  it.each(table)("%s: read as its own, and compared without a verdict", async (name, content, tool, facts) => {
    write(name, content)
    const { json } = await importJson(folder, name)
    const [one] = json as unknown as [
      { recognised: string; samples: number; answers: number; levels: { stated: object }[] },
    ]
    expect(one.recognised).toBe(tool)
    expect({ requests: one.samples, answered: one.answers, ...one.levels[0]?.stated }).toMatchObject(facts)
    const { code, json: compared } = await compareJson(folder, name, name)
    expect([code, compared.levels.length > 0]).toEqual([4, true])
    expect(new Set(compared.levels.map(({ verdict }: { verdict: string }) => verdict))).toEqual(
      new Set(["no interval"]),
    )
  })

  it("requests of LLMPerf and GenAI-Perf are timed one by one", async () => {
    write(
      "llmperf_individual_responses.json",
      [1, 2, 3].map((i) => ({
        ...{
          error_code: i === 3 ? 500 : null,
          error_msg: "",
          ttft_s: i === 3 ? 0 : 0.2,
          end_to_end_latency_s: i === 3 ? 0 : 1,
        },
        ...{ number_input_tokens: 20, number_output_tokens: i === 3 ? 0 : 5, inter_token_latency_s: 0.2 },
      })),
    )
    const llmperf = await levelOf("llmperf_individual_responses.json")
    expect([
      llmperf.recognised,
      llmperf.samples,
      llmperf.answers,
      llmperf.row.ttft_ms?.p50,
      llmperf.row.e2e_ms?.p50,
    ]).toEqual(["llmperf", 3, 2, 200, 1000])
    const request = (start: number) => ({
      timestamp: 1e9 + start * 1e9,
      response_timestamps: [0.2, 0.3, 0.4].map((at) => 1e9 + (start + at) * 1e9),
    })
    write("profile_export.json", {
      experiments: [
        {
          experiment: { mode: "concurrency", value: 2 },
          requests: [request(0), request(0.5), { ...request(1), success: false }],
        },
      ],
    })
    const genai = await levelOf("profile_export.json")
    expect([genai.recognised, genai.samples, genai.answers]).toEqual(["genai-perf", 3, 2])
    expect(genai.row.ttft_ms?.p50).toBeCloseTo(200, 3)
    expect(genai.row.e2e_ms?.p50).toBeCloseTo(400, 3)
    // Of 0.0.16: its own parser leaves out events without a part of the answer.
    const event = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`
    const said = [{ role: "assistant", content: "" }, { content: "a" }, { content: "b" }, {}].map((delta) =>
      event({ delta }),
    )
    const whole = {
      timestamp: 1e9,
      response_timestamps: [0.1, 0.2, 0.4, 0.5, 0.6].map((at) => 1e9 + at * 1e9),
      response_outputs: [...said, "data: [DONE]\n\n"].map((response) => ({ response })),
    }
    write("events.json", { experiments: [{ experiment: { mode: "concurrency", value: 2 }, requests: [whole] }] })
    const events = await levelOf("events.json")
    expect([events.row.ttft_ms?.p50, events.row.e2e_ms?.p50].map((ms) => Math.round(ms ?? 0))).toEqual([200, 400])
    const stated = { unit: "ms", avg: 58.3, p50: 64 }
    write("genai_perf.json", {
      ...{ request_latency: stated, time_to_first_token: stated, request_count: { unit: "count", avg: 20 } },
      input_config: { model_names: ["m"], perf_analyzer: { stimulus: { concurrency: 3 } } },
    })
    const summary = await levelOf("genai_perf.json")
    expect([summary.recognised, summary.samples, summary.row.concurrency]).toEqual(["genai-perf", 20, 3])
  })

  it("several results of one load are compared each with its own, and refused where one side has fewer", async () => {
    const both = (...ttfts: readonly number[]) => ttfts.map((ttft) => JSON.stringify(vllm(requestsOf(ttft)))).join("\n")
    write("two-a.jsonl", both(0.2, 0.3))
    write("two-b.jsonl", both(0.4, 0.6))
    const { code, json } = await compareJson(folder, "two-a.jsonl", "two-b.jsonl")
    const ttft = json.levels.filter(({ name }: { name: string }) => name === "ttft_ms")
    expect(code).toBe(3)
    expect(ttft.map(({ level, verdict }: Record<string, string>) => [level, verdict])).toEqual([
      ["2 in flight", "slower"],
      ["2 in flight, result 2", "slower"],
    ])
    write("three-b.jsonl", both(0.4, 0.6, 0.8))
    await expect(compareJson(folder, "two-a.jsonl", "three-b.jsonl")).rejects.toThrow(
      /unequal numbers of results.*2 in flight/,
    )
  })
})
