import { importJson } from "./support.ts"

/** What every tool below writes down in its own shape: 60 requests, two in flight, 5 chunks of one token each. */
export interface Request {
  readonly startS: number
  readonly ttftS: number
  readonly gapsS: readonly number[]
}

/** The spread of a request's times: seeded by its number, so that medians have intervals. */
export const requestsOf = (ttftS: number): readonly Request[] =>
  Array.from({ length: 60 }, (_, i) => ({
    startS: Math.floor(i / 2) * 0.5,
    ttftS: ttftS + ((i * 37) % 60) / 6000,
    gapsS: [0.02, 0.02, 0.02, 0.02],
  }))

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const e2eS = ({ ttftS, gapsS }: Request) => ttftS + sum(gapsS)

export const aiperf = (requests: readonly Request[], withChunks = true) => {
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
  return [record({ startS: -9, ttftS: 9, gapsS: [] }, "warmup"), ...requests.map((request) => record(request)), failed]
    .map((row) => JSON.stringify(row))
    .join("\n")
}

export const vllm = (requests: readonly Request[], more: object = {}) => ({
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

export const guidellm = (requests: readonly Request[]) => ({
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

export const inferencePerf = (requests: readonly Request[]) => [
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

/** The one level of a file, as `import --json` gives it. */
export async function levelOf(folder: string, name: string) {
  const { json } = await importJson(folder, name)
  const [entry] = json as unknown as {
    recognised: string
    samples: number
    answers: number
    levels: Record<string, never>[]
  }[]
  return { ...entry, row: entry?.levels[0] as unknown as Record<string, { p50: number; mean: number } & number> }
}
