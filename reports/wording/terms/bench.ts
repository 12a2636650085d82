import { figure, part, type Term, word } from "./term.ts"

const place = "bench"

/** What the page of a load test says. */
export const benchTerms: readonly Term[] = [
  word(
    "load",
    "load",
    "How much is asked of an endpoint at once: requests in flight, or requests a second that come whether it keeps up or not.",
    {
      also: ["requests in flight", "requests a second, offered", "requests per second offered"],
    },
  ),
  word(
    "load-bench",
    "load (of a row)",
    "How many requests were in flight, or came a second, while the row was measured.",
    { also: ["load"], place },
  ),
  figure("answered-of", "answered", "Requests that ended in an answer, of those that were started.", { place }),
  figure(
    "correct-slo-attainment",
    "correct SLO attainment",
    "Requests that met every objective with a correct answer, of all started ones. 0 to 100 %.",
  ),
  word(
    "saturation",
    "saturation",
    "The load from which on more requests only wait. The knee is the smallest load with at least 0.95 of the best throughput.",
    {
      also: ["saturated"],
    },
  ),
  part(
    "bench-streaming",
    "Latency and streaming",
    "When the N-th token is there, beside the speed at which people read, and what happened second by second.",
    { place },
  ),
  part(
    "bench-percentiles",
    "Percentiles",
    "Times of each load by percentile, with the interval of each below it. \u201cn too small\u201d: there are too few requests to bound that percentile.",
    { place },
  ),
  word(
    "bench-figure",
    "figure",
    "Which time the row is about: TTFT is until the first token, TPOT for each token after it, ITL between two tokens, E2E for the whole answer.",
    { place },
  ),
  figure("n", "n", "How many requests the figures of the row are computed from."),
  part(
    "bench-failed",
    "Failed requests",
    "Requests without an answer, by class, and when they came: a burst and a trickle have different causes.",
    { place },
  ),
  word("failure-class", "class (of failure)", "How a request failed, such as timeout_first_token or http_5xx.", {
    also: ["class"],
    place,
  }),
  word("failure-when", "when", "The seconds of the load in which these failures came, and the one with the most."),
  word("failure-example", "example", "The message of the first of these failures, in the endpoint\u2019s own words."),
  figure(
    "burn-rate",
    "burn rate",
    "Observed share of failures over the share that the target allows. 1 uses the error budget up exactly, 10 ten times too fast.",
  ),
  part(
    "bench-cost",
    "Cost",
    "What the answers of each load cost, and what a month of the stated traffic would. US dollars.",
    { place },
  ),
  part(
    "bench-resources",
    "Tokens, context window and resources",
    "What the load read and wrote, how full the context window was, and what the serving process took of the machine.",
    { place },
  ),
  figure("output-tokens", "output tokens", "Tokens that the model wrote, thinking included. Mean per answer."),
  figure("judge-calls", "calls", "Calls of judges, made after the load has ended."),
  figure("verdicts-reused", "verdicts reused", "Verdicts that came from the cache: identical answers are judged once."),
  figure(
    "above-idle",
    "above idle",
    "The most memory of the serving processes less what they took before the load. Bytes.",
  ),
  figure("cpu", "CPU", "Seconds of processor time that the serving processes used."),
  figure("gpu-memory", "GPU memory", "The most memory that the serving processes held on GPUs."),
  figure(
    "gpu-busy",
    "GPU busy",
    "Mean share of the time in which the GPU worked. 0 to 100 %; it says nothing of how well it was used.",
  ),
  figure("gpu-energy", "GPU energy", "Energy that the server\u2019s GPUs drew while they were watched. Joules."),
  word("note", "note", "Why something could not be measured."),
  part(
    "bench-error",
    "Measurement error",
    "How far evalkit\u2019s own time stamps were off at each load, against a server that records when it sent each piece.",
    { place },
  ),
  word(
    "bench-verdict",
    "verdict (of a load)",
    "Valid: evalkit\u2019s own error is at most 5 % of every figure. Invalid: it is more, for the figures named.",
    { also: ["verdict"], place },
  ),
  figure(
    "ttft-error",
    "TTFT error p50 / p99",
    "How far the stamp of the first token was off, median and 99th percentile. Milliseconds.",
    { also: ["ttft error"] },
  ),
  figure(
    "itl-error",
    "ITL error p50 / p99",
    "How far the time between two tokens was off, median and 99th percentile. Milliseconds.",
    { also: ["itl error"] },
  ),
  figure(
    "loop-busy",
    "event loop busy",
    "Share of the time in which evalkit\u2019s own process was at work. Close to 100 % its stamps come late.",
  ),
  figure(
    "loop-delay",
    "event loop delay, p99",
    "How late evalkit\u2019s own process noticed things, 99th percentile. Milliseconds.",
  ),
  figure("gc", "GC", "Time that evalkit\u2019s own process spent on clearing its memory. Milliseconds."),
  figure(
    "context-switches",
    "context switches",
    "How often evalkit was taken off the processor against its will: many mean that something else wanted the machine.",
  ),
  figure("starts", "starts", "Requests that were started a second, as it was; compare it with what the plan wanted."),
  figure("start-delay", "start delay, p99", "How late requests were started, 99th percentile. Milliseconds."),
  word(
    "drift",
    "drift",
    "Whether the median latency of the first and the last block differ by more than 5 % with intervals that do not overlap: the endpoint or the machine changed meanwhile.",
  ),
  part(
    "bench-tools",
    "The same log in other tools\u2019 definitions",
    "What other tools would print of the very same requests: they give the same words other meanings.",
    {
      also: ["the same log in other tools' definitions"],
    },
  ),
  figure("as-tool", "as another tool", "The figure as that tool defines it. Median, in milliseconds.", {
    also: ["as *", "evalkit"],
  }),
  word("prompts", "prompts", "Whether at least half of a prompt came from the service\u2019s cache.", { place }),
  part(
    "quality-under-load",
    "Quality under load",
    "The metric over the answers of each load: some servers give worse answers when they are full.",
  ),
  part(
    "throughput-latency",
    "Throughput against latency",
    "Each point is a load: to the right is more work done, further up is longer waiting. Up to the knee more requests bring more work, beyond it only more waiting.",
  ),
  part(
    "second-by-second",
    "second by second",
    "What happened in each second of the heaviest load; the last, which its end cut short, is left out.",
    {
      also: [
        "tokens, second by second",
        "requests, second by second",
        "tokens in that second",
        "requests in that second",
      ],
    },
  ),
  word("seconds", "seconds", "Seconds since the load began, or until N tokens are there."),
  word(
    "milliseconds",
    "milliseconds",
    "Thousandths of a second. 100 feel immediate, 1,000 keep a thought, 10,000 the attention (Nielsen 1993).",
  ),
  word("per-cent", "per cent", "Hundredths of a whole."),
]
