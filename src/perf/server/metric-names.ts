import { serverReasons } from "../../words/perf/server.ts"
/** What is read of a server's `/metrics`, whatever it is called there. */
export interface MetricNames {
  readonly dialect: string
  /** Every metric of the server begins with one of these; `:` and `_` behind it mean the same. */
  readonly prefix: string
  readonly gauges: Readonly<Partial<Record<GaugeName, readonly string[]>>>
  readonly counters: Readonly<Partial<Record<CounterName, readonly string[]>>>
  /** Histograms or summaries (`_sum`, `_count`) of a time; the factor makes it milliseconds. */
  readonly times: Readonly<Partial<Record<TimeName, TimeSource>>>
  /** Why a time is not read of this server, where more is to be said than that it does not state it. */
  readonly unstated?: Readonly<Partial<Record<TimeName, string>>>
  /** A counter of draft tokens that were accepted, by a label that says their position in the draft, from 0. */
  readonly acceptedByPosition?: { readonly names: readonly string[]; readonly label: string }
}

/** Values of a moment. `acceptedShare` and `acceptedLength` are of the last guesses, where a server does not count them. */
export type GaugeName = "running" | "waiting" | "kvCacheUsage" | "acceptedShare" | "acceptedLength"

/** What only grows. Of a cache, servers count what was found and what was looked for, or what was found and what was not. */
export const counterNames = [
  "requests",
  "promptTokens",
  "outputTokens",
  "cacheHits",
  "cacheQueries",
  "cacheMisses",
  "drafts",
  "drafted",
  "accepted",
  "preemptions",
] as const
/** A counter, as evalkit calls it. @experimental */
export type CounterName = (typeof counterNames)[number]

/** How often the guessed token at a position was kept. */
export type AcceptedAt = `acceptedAt${number}`

/** Positions that are read: guesses are a few tokens long. */
export const maxPositions = 16

/** Times of one request, and the time between two of its tokens. */
export const timeNames = ["queueMs", "prefillMs", "decodeMs", "ttftMs", "interTokenMs", "e2eMs"] as const
/** A time, as evalkit calls it. @experimental */
export type TimeName = (typeof timeNames)[number]

interface TimeSource {
  readonly names: readonly string[]
  readonly toMs: number
  /** Where the time is a counter without a count of its own: the counter of its requests; empty: it has none, the load's own are taken. */
  readonly per?: readonly string[]
}

const seconds = (...names: readonly string[]): TimeSource => ({ names, toMs: 1000 })

/** Of servers that time requests as a whole only. */
const noPhases = (reason: string): MetricNames["unstated"] => ({
  prefillMs: reason,
  decodeMs: reason,
  ttftMs: reason,
})

/** As vLLM names its times, which TensorRT-LLM and LMDeploy took over. */
const vllmTimes: MetricNames["times"] = {
  queueMs: seconds("request_queue_time_seconds"),
  prefillMs: seconds("request_prefill_time_seconds"),
  decodeMs: seconds("request_decode_time_seconds"),
  ttftMs: seconds("time_to_first_token_seconds"),
  interTokenMs: seconds("inter_token_latency_seconds", "time_per_output_token_seconds"),
  e2eMs: seconds("e2e_request_latency_seconds"),
}

/**
 * The servers whose metrics are known, by their documentation: vLLM (docs.vllm.ai, usage/metrics; names before 0.9 and 0.11 too), SGLang
 * (docs.sglang.io, references/production_metrics), llama.cpp (tools/server/README.md), TGI (reference/metrics), Triton (user_guide/metrics),
 * TensorRT-LLM, LMDeploy (its metrics' own code). A counter is found with and without `_total`; of several names of one thing the first counts.
 */
export const knownServers: readonly MetricNames[] = [
  {
    dialect: "vLLM",
    prefix: "vllm",
    gauges: {
      running: ["num_requests_running"],
      waiting: ["num_requests_waiting"],
      kvCacheUsage: ["kv_cache_usage_perc", "gpu_cache_usage_perc"],
    },
    counters: {
      requests: ["request_success"],
      promptTokens: ["prompt_tokens"],
      outputTokens: ["generation_tokens"],
      cacheHits: ["prefix_cache_hits", "gpu_prefix_cache_hits"],
      cacheQueries: ["prefix_cache_queries", "gpu_prefix_cache_queries"],
      drafts: ["spec_decode_num_drafts"],
      drafted: ["spec_decode_num_draft_tokens"],
      accepted: ["spec_decode_num_accepted_tokens"],
      preemptions: ["num_preemptions"],
    },
    times: vllmTimes,
    acceptedByPosition: { names: ["spec_decode_num_accepted_tokens_per_pos"], label: "position" },
  },
  {
    dialect: "SGLang",
    prefix: "sglang",
    gauges: {
      running: ["num_running_reqs"],
      waiting: ["num_queue_reqs"],
      kvCacheUsage: ["token_usage"],
      acceptedShare: ["spec_accept_rate"],
      acceptedLength: ["spec_accept_length"],
    },
    counters: {
      requests: ["num_requests"],
      promptTokens: ["prompt_tokens"],
      outputTokens: ["generation_tokens"],
      cacheHits: ["cached_tokens"],
      cacheQueries: ["prompt_tokens"],
    },
    times: {
      queueMs: seconds("queue_time_seconds"),
      ttftMs: seconds("time_to_first_token_seconds"),
      interTokenMs: seconds("inter_token_latency_seconds", "time_per_output_token_seconds"),
      e2eMs: seconds("e2e_request_latency_seconds"),
    },
  },
  {
    dialect: "llama.cpp",
    prefix: "llamacpp",
    gauges: {
      running: ["requests_processing"],
      waiting: ["requests_deferred"],
      kvCacheUsage: ["kv_cache_usage_ratio"],
    },
    counters: {
      promptTokens: ["prompt_tokens"],
      outputTokens: ["tokens_predicted"],
      drafts: ["spec_decode_num_drafts"],
      drafted: ["spec_decode_num_draft_tokens"],
      accepted: ["spec_decode_num_accepted_tokens"],
    },
    times: {
      prefillMs: { names: ["prompt_seconds"], toMs: 1000, per: [] },
      decodeMs: { names: ["tokens_predicted_seconds"], toMs: 1000, per: [] },
    },
  },
  {
    dialect: "TGI",
    prefix: "tgi",
    gauges: { running: ["batch_current_size"], waiting: ["queue_size"] },
    counters: { requests: ["request_success"], outputTokens: ["request_generated_tokens_sum"] },
    times: {
      queueMs: seconds("request_queue_duration"),
      e2eMs: seconds("request_duration"),
    },
    unstated: { ...noPhases(serverReasons.tgiPhases), interTokenMs: serverReasons.tgiTokenTime },
  },
  {
    dialect: "Triton",
    prefix: "nv",
    gauges: { waiting: ["inference_pending_request_count"] },
    counters: { requests: ["inference_request_success"] },
    times: {
      queueMs: { names: ["inference_queue_duration_us"], toMs: 1e-3, per: ["inference_request_success"] },
      e2eMs: { names: ["inference_request_duration_us"], toMs: 1e-3, per: ["inference_request_success"] },
    },
    unstated: noPhases(serverReasons.tritonPhases),
  },
  {
    dialect: "TensorRT-LLM",
    prefix: "trtllm",
    gauges: {
      running: ["num_requests_running"],
      waiting: ["num_requests_waiting"],
      kvCacheUsage: ["kv_cache_utilization"],
    },
    counters: {
      requests: ["request_success"],
      promptTokens: ["prompt_tokens"],
      outputTokens: ["generation_tokens"],
      cacheHits: ["kv_cache_reused_blocks"],
      cacheMisses: ["kv_cache_missed_blocks"],
      drafted: ["spec_decode_drafted_tokens"],
      accepted: ["spec_decode_accepted_tokens"],
    },
    times: vllmTimes,
  },
  {
    dialect: "LMDeploy",
    prefix: "lmdeploy",
    gauges: {
      running: ["num_requests_running"],
      waiting: ["num_requests_waiting"],
      kvCacheUsage: ["gpu_cache_usage_perc"],
    },
    counters: { promptTokens: ["prompt_tokens"], outputTokens: ["generation_tokens"] },
    times: vllmTimes,
  },
]
