import type { ToolFiles } from "./json-tools.ts"

const ids = [1, 2, 3, 4]
const metric = (value: unknown, unit = "ms") => ({ value, unit })

const aiperf = ids.map((i) => ({
  metadata: {
    ...{ session_num: i, worker_id: "w", benchmark_phase: "profiling", was_cancelled: false },
    ...{ request_start_ns: 1.7e18 + i * 1e9, request_ack_ns: 1.7e18 + i * 1e9, request_end_ns: 1.7e18 + (i + 1) * 1e9 },
  },
  metrics: {
    ...{ time_to_first_token: metric(200), request_latency: metric(1000), inter_chunk_latency: metric([20, 20, 20]) },
    ...{ output_sequence_length: metric(4, "tokens"), input_sequence_length: metric(20, "tokens") },
  },
  error: i === 4 ? { code: 503, type: "Server", message: "busy" } : null,
}))
const summary = {
  ...{ input_config: { endpoint: { model_names: ["org/m"] }, loadgen: { concurrency: 2 } } },
  ...{ time_to_first_token: { unit: "ms", avg: 200, min: 1, max: 9, p1: 1, p50: 2, p99: 3, std: 1, count: 4 } },
  request_throughput: { unit: "requests/sec", avg: 2 },
}

const vllm = {
  ...{ date: "20261001", backend: "openai-chat", model_id: "org/m", num_prompts: 4, request_rate: "inf" },
  ...{ duration: 15, completed: 3, failed: 1, request_throughput: 4, output_throughput: 20, mean_ttft_ms: 200 },
  ...{ input_lens: [20, 20, 20, 20], output_lens: [5, 5, 5, 0], ttfts: [0.2, 0.2, 0.2, 0], start_times: [1, 2, 3, 4] },
  ...{ itls: [[0.02, 0.02], [0.02], [0.02], []], errors: ["", "", "", "cannot connect"] },
}

const guidellm = {
  metadata: { version: 2, guidellm_version: "0.6.0" },
  config: { backend: { model: "org/m" } },
  benchmarks: [
    {
      config: { strategy: { type_: "concurrent", streams: 2 }, backend: { model: "org/m" } },
      metrics: { time_to_first_token_ms: { successful: { mean: 205, median: 205 } } },
      requests: {
        successful: ids.map((i) => ({
          ...{ request_id: "r", prompt_tokens: 20, output_tokens: 5 },
          info: {
            timings: {
              ...{ request_start: 1.7e9 + i, first_token_iteration: 1.7e9 + i + 0.2 },
              ...{ last_token_iteration: 1.7e9 + i + 1, request_end: 1.7e9 + i + 1 },
            },
          },
        })),
        errored: [{ info: { error: "timed out", timings: { request_start: 1.7e9, request_end: 1.7e9 + 3 } } }],
        incomplete: [],
      },
    },
  ],
}

const inferencePerf = ids.map((i) => ({
  ...{ start_time: i, end_time: i + 1, request: '{"model":"org/m"}', response: "…", error: null },
  info: { input_tokens: 20, response_metrics: { output_tokens: 3, chunk_times: [i + 0.2, i + 0.4, i + 1] } },
}))

/** A file of every load tool. */
export const loadTools: readonly ToolFiles[] = [
  {
    ...{ tool: "aiperf", given: "profile_export.jsonl" },
    parts: [
      { name: "profile_export.jsonl", value: aiperf, lines: true },
      { name: "profile_export_aiperf.json", value: summary },
    ],
  },
  {
    tool: "aiperf",
    given: "profile_export_aiperf.json",
    parts: [{ name: "profile_export_aiperf.json", value: summary }],
  },
  { tool: "vllm-bench", given: "vllm.json", parts: [{ name: "vllm.json", value: vllm }] },
  { tool: "guidellm", given: "guidellm.json", parts: [{ name: "guidellm.json", value: guidellm }] },
  { tool: "inference-perf", given: "perf.json", parts: [{ name: "perf.json", value: inferencePerf }] },
]
