import { columnWords } from "../column-words.ts"
import { figure, type Term, word } from "./term.ts"

/** Times, rates, tokens, what serves them, and what it costs. */
export const servingTerms: readonly Term[] = [
  figure("ttft", "time to first token", {
    text: columnWords.ttftMs,
    note: "It is not the first byte, and not the end of the wait where a model thinks before it answers.",
    also: ["ttftms", "median time to first token"],
  }),
  figure("ttft-from-intent", "time to first token from intent", {
    text: "Time from the moment at which a request was wanted to its first token: what it waited before it was sent is included. Milliseconds, lower is better.",
    note: "At a fixed rate of arrivals this is what users feel; the time from the sending hides a queue on the client (coordinated omission).",
    also: ["ttftfromintentms", "ttft from intent", "coordinated omission"],
  }),
  figure("e2e", "end to end", {
    text: columnWords.e2eMs,
    note: "Long answers take longer: compare it together with their length.",
    also: ["e2ems", "end-to-end", "latency", "end to end, median", "median time"],
  }),
  figure("tpot", "time per output token", {
    text: "Time for each token after the first: (end to end \u2212 time to first token) / (tokens \u2212 1). Milliseconds, lower is better.",
    also: ["tpotms", "time per token"],
  }),
  figure("itl", "inter-token latency", {
    text: "Time between two tokens that follow each other: long ones are seen as stutter. Milliseconds, lower is better.",
    note: "Tokens that arrive together share the time of their chunk; a load test says beside it how many do, and how often.",
    also: ["itlms", "gap between tokens", "between tokens"],
  }),
  figure("decode-speed", "decode speed", {
    text: columnWords.tokensPerSecond,
    note: "What all answers together bring a second is the throughput.",
    also: ["decode t/s", "tokenspersecond", "decode tokens/s"],
  }),
  figure("throughput", "throughput", {
    text: "Tokens or requests per second of all requests together: what the endpoint as a whole brings.",
    note: "It counts answers that came too late for anybody: see goodput.",
    also: ["tokens/s", "requests/s", "system tokens/s", "system throughput", "system tokens per second", "system t/s"],
  }),
  figure("goodput", "goodput", {
    text: "Requests per second that were answered and met every objective (SLO). Higher is better.",
    note: "The figure to plan machines by: throughput goes on rising while answers come too late.",
    also: ["goodput/s", "goodput, requests/s"],
  }),
  word("slo", "SLO", {
    text: "Service level objective: what you promise of each request, such as ttft<800ms,tpot<50ms.",
    also: ["objective"],
  }),
  figure("slo-attainment", "SLO attainment", {
    text: "Share of all started requests that were answered and met every objective, counted from when a request was due, 0 to 100 %. Correct SLO attainment asks for a correct answer, too.",
    also: ["in slo", "correct slo attainment"],
  }),
  word("percentile", "percentile", {
    text: "p95 = 800 ms: 95 of 100 requests were faster than 800 ms. p50 is the middle one.",
    note: "The mean hides slow requests; percentiles do not. \u201cn too small\u201d: there are too few requests to bound it.",
    also: ["p50", "p90", "p95", "p99", "median", "percentiles"],
  }),
  word("capacity", "capacity", {
    text: 'What hardware carries within its objectives: `requestsPerSecond`, `tokensPerSecond`, or `capacity: "bench.json"` beside a price by the hour or of one\u2019s own hardware. Cost per query, bills and break-even are at it. Of a load test it is the largest load within `--slo`.',
    note: "Without it they are at the load of the run itself. `utilisation`, 0 to 1, is the share of the time that the hardware is busy: idle time is paid, too.",
    also: [
      "hourly",
      "hourly price",
      "owned",
      "electricity",
      "utilisation",
      "utilization",
      "requestsPerSecond",
      "tokensPerSecond",
    ],
  }),
  word("find-rate", "find-rate", {
    text: "evalkit bench --find-rate sends requests at rates that come nearer and nearer to the largest one at which enough requests meet every objective of `--slo`, and gives it with its interval.",
    also: ["--find-rate", "found rate"],
  }),
  word("tune", "tune", {
    text: "evalkit bench --tune starts a server with one setting after the other (a `sweep` of `command()` variants), loads each, and names the cheapest that keeps the objectives.",
    also: ["--tune"],
  }),
  word("trace", "trace", {
    text: "Real traffic as a file for evalkit bench --trace: a row a request, JSON Lines or CSV with a header. Columns: the arrival (timestamp, time, t, arrived_at), the prompt's tokens (input_length, ContextTokens, Request tokens, prompt_tokens, num_prefill_tokens), the answer's (output_length, GeneratedTokens, Response tokens, completion_tokens, num_decode_tokens), and, where known, the blocks of 512 tokens that prompts share (hash_ids).",
    note: 'Units: dates, or a column t_ms (milliseconds) or t_s (seconds). Without one, times since 1970 are known by their size, fractions are seconds, whole numbers milliseconds, as Mooncake\'s; those of BurstGPT and Vidur are seconds. Over 1,000 requests a second, or a trace of less than a tenth of --duration, is asked about first. Examples: Azure "TIMESTAMP,ContextTokens,GeneratedTokens" / "2023-11-16 18:17:03.97,4808,10"; BurstGPT "Timestamp,Model,Request tokens,Response tokens" / "5,ChatGPT,472,18"; Mooncake {"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47]}.',
    also: ["traces", "--trace", "azure", "burstgpt", "mooncake", "vidur"],
  }),
  word("recorded-rows", "recorded rows", {
    text: "Answers that are there already, for recorded(): a row an answer, JSON Lines. Columns: id (or sampleId) of the sample, text (or output); where known repeat, variant, reasoning, toolCalls, logprobs, finishReason, outcome, usage, ttftMs and e2eMs or a whole log, httpStatus, failure, servedModel, server, passages, stages, returned.",
    note: "Only the id and the text must be there. What a row does not state is unknown in the report, never 0.",
    also: ["recorded row", "RecordedRow", "recorded_rows"],
  }),
  word("load", "load", {
    text: "How much is asked of an endpoint at once: requests in flight (closed loop), or requests a second that come whether it keeps up or not (open loop).",
    also: ["requests in flight", "open loop", "closed loop"],
  }),
  figure("client-error", "client error", {
    text: "How far evalkit\u2019s own time stamps were off at this load. A figure that it could change by more than 5 % is marked invalid.",
  }),
  figure("availability", "availability", {
    text: "Share of the planned calls that ended in an answer that can be used.",
  }),
  figure("burn-rate", "burn rate", {
    text: "Observed share of failures over the share that the target allows. 1 uses the error budget up exactly, 10 ten times too fast.",
    also: ["error budget"],
  }),
  word("tokens", "tokens", {
    text: "Pieces of text that a model reads and writes, about three quarters of an English word each. Hidden thinking counts as written.",
    note: "Every model cuts text in its own way: by o200k tokens (those of gpt-4o, counted of every answer) and by characters speeds and prices compare.",
    also: ["tokens per answer", "o200k", "o200k tokens"],
  }),
  figure("context-window", "context window", {
    text: "Tokens that the model can hold, prompt and answer together.",
    also: ["window"],
  }),
  figure("prefill", "prefill", {
    text: "Time in which the server read the prompt, before the first token; in decode it wrote the answer. Milliseconds.",
    also: ["decode"],
  }),
  figure("kv-cache", "KV cache", {
    text: "How full the server\u2019s memory for open requests was, the highest reading. 0 to 100 %; close to 100 % requests wait, or are preempted: thrown out and begun again.",
    also: ["preemptions"],
  }),
  word("prompt-cache", "prompt cache", {
    text: "What a service keeps of prompts that it has read (prefix cache). A hit is an answer of whose prompt at least half came from it, the others are misses.",
    also: ["prefix cache", "prefix cache hits", "prompt cache hits", "hits", "misses"],
  }),
  figure("draft-acceptance-rate", "draft acceptance rate", {
    text: "Speculative decoding: of the tokens that a small model drafted those that the large one kept. 0 to 100 %, higher is faster.",
    also: ["speculative decoding"],
  }),
  word("cold-start", "cold start", {
    text: "The first request to a service that was not asked before: connections, and the model\u2019s load, are in its time. Such answers are in no latency.",
    also: ["cold start: load and first token"],
  }),
  word("quantization", "quantization", {
    text: "A model\u2019s weights in numbers of fewer bits: F16 has 16, int8 and Q8 about 8, int4 and Q4 about 4. Smaller and mostly faster; what it costs in quality has to be measured.",
    note: "Accuracy may stay while many single answers change: look at the flips.",
    also: ["int8", "int4", "quantisation"],
  }),
  figure("cost", "cost", {
    text: "US dollars by the price that stands in \u201cMethod\u201d, each class of tokens at its own rate. A class without a rate makes it unknown, never 0.",
    also: ["costusd", "$", "cost per query", "cost per answer", "per query"],
  }),
  figure("cost-per-1k", "cost of 1,000 requests", {
    text: columnWords.perThousandUsd,
    also: ["$ per 1k", "perthousandusd", "per 1,000"],
  }),
  figure("cost-per-correct", "cost per correct answer", {
    text: "All dollars, those of wrong and failed answers too, divided by the answers that are right.",
    note: "A cheap model that is often wrong cannot hide here.",
    also: ["percorrectusd", "per correct answer"],
  }),
  figure("energy", "energy per answer", {
    text: columnWords.joulesPerAnswer,
    also: ["joulesperanswer", "j per answer", "energy"],
  }),
]
