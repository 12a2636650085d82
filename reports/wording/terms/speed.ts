import { columnWords } from "../column-words.ts"
import { figure, part, type Term, word } from "./term.ts"

/** Times and rates. */
export const speedTerms: readonly Term[] = [
  figure("ttft", "time to first token", columnWords.ttftMs, {
    note: "It is not the first byte, and not the end of the wait where a model thinks before it answers.",
    also: [
      "ttftms",
      "ttft p50",
      "ttft p95",
      "ttft p50/p99",
      "ttft p50, ms",
      "ttft, *",
      "median time to first token",
      "first answer token",
    ],
  }),
  figure(
    "ttft-any",
    "time to first token of any kind",
    "Time until the first token, thinking included. Where no thinking is streamed it is the time to first token.",
    { also: ["ttftanyms", "first token of any kind"] },
  ),
  figure(
    "successful-attempt",
    "successful attempt",
    "Time of the attempt alone that brought the answer. What a caller waited has the failed attempts before it and the waits after them, too.",
    { also: ["attemptttftms", "attempte2ems", "* of the successful attempt"] },
  ),
  figure(
    "rate-limit-wait",
    "waiting for the rate limit",
    "Time that the account's own rate limits imposed: requests refused with HTTP 429, the pauses after them, and limits of the config. It is in no other time.",
    { also: ["ratelimitwaitms"] },
  ),
  figure("e2e", "end to end", columnWords.e2eMs, {
    note: "Long answers take longer: compare it together with their length.",
    also: [
      ...["e2ems", "end-to-end", "latency", "e2e p50/p99", "time (end to end)", "end to end, median", "median time"],
      ...["milliseconds for a whole answer", "time per answer"],
    ],
  }),
  figure(
    "tpot",
    "time per output token",
    "Time for each token after the first: (end to end − time to first token) / (tokens − 1). Milliseconds, lower is better.",
    { also: ["tpotms", "time per token"] },
  ),
  figure(
    "itl",
    "inter-token latency",
    "Time between two tokens that follow each other: long ones are seen as stutter. Milliseconds, lower is better.",
    { also: ["itlms", "gap between tokens"] },
  ),
  figure(
    "longest-stop",
    "longest stop",
    "The longest time inside an answer in which nothing came for its reader; thinking before the answer is none. Milliseconds, lower is better.",
    { also: ["longeststopms", "longest stop inside an answer"] },
  ),
  figure("decode-speed", "decode speed", columnWords.tokensPerSecond, {
    note: "What all answers together bring a second is the throughput.",
    also: ["decode t/s", "tokenspersecond", "decode tokens/s", "own tokens/s"],
  }),
  figure(
    "ttft-from-intent",
    "time to first token from intent",
    "Time from the moment at which a request was wanted to its first token: what it waited before it was sent is included. Milliseconds, lower is better.",
    {
      note: "At a fixed rate of arrivals this is what users feel; the time from the sending hides a queue on the client.",
      also: ["ttftfromintentms", "ttft from intent"],
    },
  ),
  figure(
    "e2e-from-intent",
    "end to end from intent",
    "Time from the moment at which a request was wanted to its last token: what it waited before it was sent is included. Milliseconds, lower is better.",
    { also: ["e2e from intent"] },
  ),
  figure(
    "queue-wait",
    "waiting in the queue",
    "Time that a request waited on this machine, for a free place or a rate limit, before it was sent. Milliseconds, lower is better. It is in no time that counts from the sending.",
    { also: ["queuewaitms"] },
  ),
  figure("throughput", "throughput", "Tokens or requests per second of all requests together.", {
    note: "It counts answers that came too late for anybody: see goodput.",
    also: [
      ...["tokens/s", "systemtokenspersecond", "requestspersecond", "system tokens/s", "requests/s"],
      ...["tokens a second", "tokens a second, all requests together"],
    ],
  }),
  figure(
    "goodput",
    "goodput",
    "Requests per second that were answered and met every objective (SLO). Higher is better.",
    {
      note: "The figure to plan machines by: throughput goes on rising while answers come too late.",
      also: ["goodput/s", "goodput, requests/s"],
    },
  ),
  figure(
    "slo-attainment",
    "SLO attainment",
    "Share of all started requests that were answered and met every objective, counted from when a request was due, 0 to 100 %.",
    { also: ["in slo", "slo attainment"] },
  ),
  figure(
    "answers-per-second",
    "answers per second",
    "Answers that ended in a second, averaged over each step of the chart, up to the last full second. It is the run\u2019s own pace, not what the endpoint could do.",
  ),
  figure("failures-per-second", "failures per second", "Requests that failed in a second, averaged over each step."),
  word(
    "since-start",
    "since the start",
    "Time since the run began, with every resumption behind the one before. Seconds.",
  ),
  word("percentile", "percentile", "p95 = 800 ms: 95 of 100 requests were faster than 800 ms. p50 is the middle one.", {
    note: "The mean hides slow requests; percentiles do not.",
    also: ["p50", "p90", "p95", "p99", "median"],
  }),
  figure("mean", "mean", "The sum divided by the count.", {
    note: "One slow request moves it, and it may be far from what most requests saw: read the percentiles beside it.",
  }),
  figure(
    "share-of-answers",
    "share of answers",
    "Of all timed answers the part that came within the time below: where the line reaches 90 % is p90. 0 to 100 %; the line further to the left is faster.",
  ),
  figure(
    "density",
    "density",
    "How many answers lie near a time: the higher the curve, the more of them. The area under each curve is the same, so that only the shapes compare, not the heights.",
  ),
  word(
    "time",
    "time",
    "Time from sending to the last token where nothing else is said; beside a per cent its change against the baseline, where \u221220 % is a fifth less.",
    {
      also: ["time, median"],
    },
  ),
  word(
    "tokens",
    "tokens",
    "Pieces of text that a model reads and writes, about three quarters of an English word each.",
    {
      note: "Every model cuts text in its own way: tokens of two models are not the same measure. Hidden thinking counts as written.",
      also: ["tokens per answer"],
    },
  ),
  word(
    "stage",
    "stage",
    "A step that an application timed of itself, such as retrieval or generation. In a pipeline: the place after which passages are looked at.",
  ),
  part(
    "section-speed",
    "Speed",
    "How fast the variants are: the share of answers within a time, percentiles, time until N tokens are there, and the pace of the run. Only requests that were really timed count.",
    { place: "section" },
  ),
  part(
    "stages",
    "Stages",
    "What the stages of an application took, where its answers came with their times. Milliseconds.",
  ),
  part(
    "time-to-nth-token",
    "Time to the N-th token",
    "Median time to first token + (N − 1) × median time per token. Where two lines cross, the one that starts later becomes the faster one for longer answers. The lines of a run end at the longest answer that was measured; a bench says from where on its lines are continued.",
    { also: ["time to n tokens, in seconds"] },
  ),
  part(
    "over-time",
    "Over time",
    "Answers and failures a second from the start of the run to its end: a drop or a burst shows when something changed.",
  ),
  part(
    "latency-distribution",
    "Distribution of end-to-end latency",
    "Where the times of two variants lie, drawn from their percentiles. Two humps are two kinds of answers, such as short and long ones.",
  ),
]
