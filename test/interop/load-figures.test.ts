import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command as importCommand } from "../../src/cli/commands/import.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { guidellm, levelOf, requestsOf, vllm } from "./load-log-writers.ts"
import { compareJson, importJson } from "./support.ts"

const folder = scratchDirectory()

function write(name: string, value: unknown): string {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value))
  return name
}

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
    const { samples, answers, row } = await levelOf(folder, "sampled.json")
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
    // `--new-machine-readable-summary`: schema 1 of k6's own sources.
    [
      "k6-named.json",
      {
        ...{ version: "1.0.0", metadata: { k6Version: "2.3.0" }, config: { duration: 60 } },
        results: {
          metrics: [
            { name: "http_reqs", type: "counter", contains: "default", values: { count: 10 } },
            {
              name: "http_req_failed",
              type: "rate",
              contains: "default",
              values: { matches: 1, rate: 0.1, total: 10 },
            },
            { name: "http_req_duration", type: "trend", contains: "time", values: { med: 200, "p(95)": 300 } },
          ],
        },
      },
      "k6",
      { requests: 10, answered: 9, "http_req_duration.med": 200, "http_req_duration.p(95)": 300 },
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
    const [entry] = json as unknown as [
      { recognised: string; samples: number; answers: number; levels: { stated: object }[] },
    ]
    expect(entry.recognised).toBe(tool)
    expect({ requests: entry.samples, answered: entry.answers, ...entry.levels[0]?.stated }).toMatchObject(facts)
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
    const llmperf = await levelOf(folder, "llmperf_individual_responses.json")
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
    const genai = await levelOf(folder, "profile_export.json")
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
    const events = await levelOf(folder, "events.json")
    expect([events.row.ttft_ms?.p50, events.row.e2e_ms?.p50].map((ms) => Math.round(ms ?? 0))).toEqual([200, 400])
    const stated = { unit: "ms", avg: 58.3, p50: 64 }
    write("genai_perf.json", {
      ...{ request_latency: stated, time_to_first_token: stated, request_count: { unit: "count", avg: 20 } },
      input_config: { model_names: ["m"], perf_analyzer: { stimulus: { concurrency: 3 } } },
    })
    const summary = await levelOf(folder, "genai_perf.json")
    expect([summary.recognised, summary.samples, summary.row.concurrency]).toEqual(["genai-perf", 20, 3])
  })
})
