/**
 * The form of each server's `/metrics`, after its project's own documentation (names, types, labels); numbers are made up. `more` is the
 * same page after some traffic: ten requests, of which each number below says what they did.
 */
export interface MetricsPage {
  readonly before: string
  readonly after: string
}

const page = (lines: string): string => `${lines.trim().replace(/^ +/gm, "")}\n`

/** docs.vllm.ai, usage/metrics and design/metrics (V1 engine): two engines, counters with `_total`, `_created` series. */
export const vllm: MetricsPage = (() => {
  const at = (running: number, n: number, engine: 0 | 1) => {
    const labels = `engine="${engine}",model_name="meta-llama/Llama-3.1-8B-Instruct"`
    const { requests, queue, prefill, decode, ttft } = {
      requests: 100 + n,
      queue: 4 + n * 0.02,
      prefill: 9 + n * 0.05,
      decode: 80 + n * 0.8,
      ttft: 14 + n * 0.08,
    }
    return page(`
      # HELP vllm:num_requests_running Number of requests in model execution batches.
      # TYPE vllm:num_requests_running gauge
      vllm:num_requests_running{${labels}} ${running}
      # HELP vllm:num_requests_waiting Number of requests waiting to be processed.
      # TYPE vllm:num_requests_waiting gauge
      vllm:num_requests_waiting{${labels}} 1.0
      # TYPE vllm:kv_cache_usage_perc gauge
      vllm:kv_cache_usage_perc{${labels}} ${0.2 + 0.2 * engine}
      # TYPE vllm:prefix_cache_queries_total counter
      vllm:prefix_cache_queries_total{${labels}} ${1000 + n * 64}
      vllm:prefix_cache_queries_created{${labels}} 1.7e+09
      process_start_time_seconds 1.69e+09
      # TYPE vllm:prefix_cache_hits_total counter
      vllm:prefix_cache_hits_total{${labels}} ${500 + n * 16}
      vllm:num_preemptions_total{${labels}} ${3 + n / 10}
      vllm:prompt_tokens_total{${labels}} ${8000 + n * 64}
      vllm:generation_tokens_total{${labels}} 2e+04
      vllm:spec_decode_num_drafts_total{${labels}} ${10 + n * 5}
      vllm:spec_decode_num_draft_tokens_total{${labels}} ${50 + n * 20}
      vllm:spec_decode_num_accepted_tokens_total{${labels}} ${30 + n * 15}
      vllm:spec_decode_num_accepted_tokens_per_pos_total{${labels},position="0"} ${9 + n * 4.5}
      vllm:spec_decode_num_accepted_tokens_per_pos_total{${labels},position="1"} ${8 + n * 4}
      vllm:spec_decode_num_accepted_tokens_per_pos_total{${labels},position="2"} ${7 + n * 3.5}
      vllm:spec_decode_num_accepted_tokens_per_pos_total{${labels},position="3"} ${6 + n * 3}
      vllm:spec_decode_num_accepted_tokens_per_pos_total{${labels},position="1e9"} 5
      vllm:spec_decode_num_accepted_tokens_per_pos_total{${labels},position="<b>"} 5
      vllm:request_success_total{${labels},finished_reason="stop"} ${requests}
      vllm:request_success_total{${labels},finished_reason="length"} 7.0
      # TYPE vllm:request_queue_time_seconds histogram
      vllm:request_queue_time_seconds_bucket{le="0.3",${labels}} ${requests}
      vllm:request_queue_time_seconds_bucket{le="+Inf",${labels}} ${requests}
      vllm:request_queue_time_seconds_count{${labels}} ${requests}
      vllm:request_queue_time_seconds_sum{${labels}} ${queue}
      vllm:request_prefill_time_seconds_count{${labels}} ${requests}
      vllm:request_prefill_time_seconds_sum{${labels}} ${prefill}
      vllm:request_decode_time_seconds_count{${labels}} ${requests}
      vllm:request_decode_time_seconds_sum{${labels}} ${decode}
      vllm:inter_token_latency_seconds_sum{${labels}} ${50 + n * 0.4}
      vllm:inter_token_latency_seconds_count{${labels}} ${4000 + n * 40}
      vllm:time_to_first_token_seconds_bucket{le="0.06",${labels}} ${60 + n * 0.4}
      vllm:time_to_first_token_seconds_bucket{le="0.08",${labels}} ${70 + n * 0.6}
      vllm:time_to_first_token_seconds_bucket{le="0.1",${labels}} ${90 + n}
      vllm:time_to_first_token_seconds_bucket{le="+Inf",${labels}} ${requests}
      vllm:time_to_first_token_seconds_count{${labels}} ${requests}
      vllm:time_to_first_token_seconds_sum{${labels}} ${ttft}
    `)
  }
  return { before: at(0, 0, 0) + at(0, 0, 1), after: at(3, 5, 0) + at(2, 5, 1) }
})()

/** docs.sglang.io, references/production_metrics; `cached_tokens_total` with its sources and their total. */
export const sglang: MetricsPage = (() => {
  const at = (n: number, mark = ":") => {
    const labels = `engine_type="unified",model_name="meta-llama/Llama-3.1-8B-Instruct"`
    return page(`
      # HELP sglang${mark}prompt_tokens_total Number of prefill tokens processed.
      # TYPE sglang${mark}prompt_tokens_total counter
      sglang${mark}prompt_tokens_total{${labels}} ${8.1e6 + n * 100}
      sglang${mark}generation_tokens_total{${labels}} ${7.5e6 + n * 50}
      sglang${mark}cached_tokens_total{cache_source="device",${labels}} ${1000 + n * 30}
      sglang${mark}cached_tokens_total{cache_source="host",${labels}} ${500 + n * 10}
      sglang${mark}cached_tokens_total{cache_source="total",${labels}} ${1500 + n * 40}
      # TYPE sglang${mark}token_usage gauge
      sglang${mark}token_usage{${labels}} 0.28
      sglang${mark}spec_accept_length{${labels}} 2.5
      sglang${mark}spec_accept_rate{${labels}} 0.5
      sglang${mark}num_running_reqs{${labels}} 4.0
      sglang${mark}inter_token_latency_seconds_sum{${labels}} ${40 + n * 0.3}
      sglang${mark}inter_token_latency_seconds_count{${labels}} ${3000 + n * 20}
      sglang${mark}num_queue_reqs{${labels}} 2.0
      sglang${mark}num_requests_total{${labels}} ${900 + n}
      sglang${mark}time_to_first_token_seconds_sum{${labels}} ${2.3e3 + n * 0.2}
      sglang${mark}time_to_first_token_seconds_bucket{le="0.1",${labels}} 0.0
      sglang${mark}time_to_first_token_seconds_count{${labels}} ${900 + n}
      sglang${mark}queue_time_seconds_sum{${labels}} ${10 + n * 0.05}
      sglang${mark}queue_time_seconds_count{${labels}} ${900 + n}
    `)
  }
  return { before: at(0), after: at(10) }
})()

/** SGLang's names as they are since `_` replaced `:`. */
export const sglangUnderscore: MetricsPage = {
  before: sglang.before.replaceAll("sglang:", "sglang_"),
  after: sglang.after.replaceAll("sglang:", "sglang_"),
}

/** tools/server/README.md of ggml-org/llama.cpp: no labels, no histograms. */
export const llamaCpp: MetricsPage = (() => {
  const at = (n: number) =>
    page(`
      # HELP llamacpp:prompt_tokens_total Number of prompt tokens processed.
      # TYPE llamacpp:prompt_tokens_total counter
      llamacpp:prompt_tokens_total ${400 + n * 32}
      # HELP llamacpp:prompt_seconds_total Prompt process time
      # TYPE llamacpp:prompt_seconds_total counter
      llamacpp:prompt_seconds_total ${1.5 + n * 0.04}
      llamacpp:tokens_predicted_total ${800 + n * 64}
      llamacpp:tokens_predicted_seconds_total ${12.5 + n * 0.5}
      llamacpp:n_decode_total ${900 + n}
      # TYPE llamacpp:requests_processing gauge
      llamacpp:requests_processing ${n > 0 ? 4 : 0}
      llamacpp:requests_deferred 1
      llamacpp:spec_decode_num_drafts_total ${n * 4}
      llamacpp:spec_decode_num_draft_tokens_total ${n * 10}
      llamacpp:spec_decode_num_accepted_tokens_total ${n * 8}
    `)
  return { before: at(0), after: at(10) }
})()

/** huggingface.co/docs/text-generation-inference/reference/metrics. */
export const tgi: MetricsPage = (() => {
  const at = (n: number) =>
    page(`
      # TYPE tgi_queue_size gauge
      tgi_queue_size 3
      # TYPE tgi_batch_current_size gauge
      tgi_batch_current_size 8
      # TYPE tgi_request_success counter
      tgi_request_success ${50 + n}
      tgi_request_generated_tokens_sum ${3000 + n * 40}
      tgi_request_generated_tokens_count ${50 + n}
      # TYPE tgi_request_queue_duration histogram
      tgi_request_queue_duration_bucket{le="0.00015"} 2
      tgi_request_queue_duration_sum ${1 + n * 0.03}
      tgi_request_queue_duration_count ${50 + n}
      tgi_request_mean_time_per_token_duration_sum ${3 + n * 0.025}
      tgi_request_mean_time_per_token_duration_count ${50 + n}
      tgi_request_duration_sum ${70 + n * 1.1}
      tgi_request_duration_count ${50 + n}
    `)
  return { before: at(0), after: at(10) }
})()

/** docs.nvidia.com, Triton's user_guide/metrics: cumulative microseconds. */
export const triton: MetricsPage = (() => {
  const at = (n: number) =>
    page(`
      # HELP nv_inference_request_success Number of successful inference requests, all batch sizes
      # TYPE nv_inference_request_success counter
      nv_inference_request_success{model="llama",version="1"} ${20 + n}
      nv_inference_queue_duration_us{model="llama",version="1"} ${5000 + n * 700}
      nv_inference_request_duration_us{model="llama",version="1"} ${90000 + n * 12000}
      # TYPE nv_inference_pending_request_count gauge
      nv_inference_pending_request_count{model="llama",version="1"} 5
      nv_gpu_power_usage{gpu_uuid="GPU-1"} 210.5
    `)
  return { before: at(0), after: at(10) }
})()

/** TensorRT-LLM's `/prometheus/metrics` (tensorrt_llm/metrics): the phases of vLLM, a cache that counts blocks found and not found. */
export const tensorRt: MetricsPage = (() => {
  const at = (n: number) => {
    const labels = `engine_type="trtllm",model_name="llama"`
    const time = (name: string, sum: number) =>
      `trtllm_${name}_seconds_sum{${labels}} ${sum}\ntrtllm_${name}_seconds_count{${labels}} ${30 + n}`
    return page(`
      # TYPE trtllm_request_success_total counter
      trtllm_request_success_total{finished_reason="stop",${labels}} ${30 + n}
      ${time("request_queue_time", 2 + n * 0.01)}
      ${time("request_prefill_time", 3 + n * 0.03)}
      ${time("request_decode_time", 9 + n * 0.5)}
      ${time("time_to_first_token", 5 + n * 0.045)}
      ${time("time_per_output_token", 1 + n * 0.012)}
      ${time("e2e_request_latency", 20 + n * 0.55)}
      trtllm_num_requests_running{${labels}} 6
      trtllm_num_requests_waiting{${labels}} 1
      trtllm_kv_cache_utilization{${labels}} 0.35
      trtllm_kv_cache_hit_rate{${labels}} 0.99
      trtllm_kv_cache_reused_blocks_total{${labels}} ${100 + n * 3}
      trtllm_kv_cache_missed_blocks_total{${labels}} ${400 + n}
      trtllm_spec_decode_drafted_tokens_total{${labels}} ${n * 8}
      trtllm_spec_decode_accepted_tokens_total{${labels}} ${n * 6}
    `)
  }
  return { before: at(0), after: at(10) }
})()

/** lmdeploy/metrics/loggers.py of InternLM/lmdeploy. */
export const lmDeploy: MetricsPage = (() => {
  const at = (n: number) => {
    const labels = `engine="0",model_name="internlm"`
    const time = (name: string, sum: number) =>
      `lmdeploy:${name}_seconds_sum{${labels}} ${sum}\nlmdeploy:${name}_seconds_count{${labels}} ${10 + n}`
    return page(`
      lmdeploy:num_requests_running{${labels}} 3
      lmdeploy:num_requests_waiting{${labels}} 2
      lmdeploy:gpu_cache_usage_perc{${labels}} 0.1
      lmdeploy:prompt_tokens_total{${labels}} ${n * 20}
      lmdeploy:generation_tokens_total{${labels}} ${n * 30}
      ${time("request_queue_time", 1 + n * 0.005)}
      ${time("request_prefill_time", 1 + n * 0.02)}
      ${time("request_decode_time", 1 + n * 0.3)}
      ${time("time_to_first_token", 1 + n * 0.03)}
      ${time("time_per_output_token", 1 + n * 0.01)}
      ${time("e2e_request_latency", 1 + n * 0.4)}
    `)
  }
  return { before: at(0), after: at(10) }
})()
