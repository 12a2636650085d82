import { figure, part, type Term, word } from "./term.ts"

/** What servers say of themselves, prompt caches, cold starts, batches. */
export const servingTerms: readonly Term[] = [
  part(
    "section-server-time",
    "The server\u2019s own metrics: where the time went",
    "Where the time to the first token went, from the server\u2019s /metrics before and after each turn of the variant. Means, in milliseconds.",
    {
      also: ["the server's own metrics: where the time went"],
    },
  ),
  part(
    "section-server-state",
    "The server\u2019s own metrics: how busy it was",
    "The highest readings of the server\u2019s /metrics while the variant was served.",
    {
      also: ["the server's own metrics: how busy it was"],
    },
  ),
  part(
    "section-server-view",
    "The server\u2019s own view",
    "Durations that came with the answers, by the server\u2019s own clock. Medians, in milliseconds.",
    {
      also: ["the server's own view"],
    },
  ),
  word("metrics-of", "metrics of", "Which server\u2019s metrics were read: vLLM, SGLang, llama.cpp \u2026", {
    also: ["timings of"],
  }),
  figure(
    "client-first-token",
    "first token, client",
    "Time to first token as evalkit measured it, to hold the server\u2019s own figures against.",
  ),
  figure("queue", "queue", "Time that a request waited inside of the server before it was worked on. Milliseconds."),
  figure("model-load", "model load", "Time in which the server loaded the model before it could answer. Milliseconds."),
  figure("prefill", "prefill", "Time in which the server read the prompt. Milliseconds."),
  figure("decode", "decode", "Time in which the server wrote the answer, after the first token. Milliseconds."),
  figure(
    "first-token-rest",
    "the rest of it",
    "Time to first token less the server\u2019s queue and prefill: network, HTTP and tokenizer, and the queue where the server does not state it.",
  ),
  figure(
    "draft-kept",
    "guessed tokens kept",
    "Of the tokens that a small model guessed ahead those that the large one kept. 0 to 100 %, higher is faster.",
  ),
  figure(
    "between-tokens",
    "between tokens",
    "Time between two tokens as the server counts it; where it guesses tokens ahead, between two events. Milliseconds.",
  ),
  figure(
    "server-first-token-p99",
    "first token, server, p99",
    "99 of 100 requests had their first token sooner by the server\u2019s own histogram, which says only between which two edges. Milliseconds.",
  ),
  figure(
    "guess-length",
    "tokens a guess",
    "Tokens of one step of guessing ahead: those that were kept and the one that the large model adds. 1 without guessing, higher is faster.",
  ),
  part(
    "section-gpus",
    "The GPUs that served",
    "Which GPUs ran a process of each variant\u2019s server, what it held and used of them, and what held their clocks down.",
    { also: ["the gpus that served"] },
  ),
  word("gpu", "GPU", "The cards that ran a process of the server, by the name that their driver gives."),
  word("gpu-driver", "driver", "Version of the GPU\u2019s driver."),
  figure(
    "gpu-memory-after-load",
    "GPU memory after load",
    "GPU memory of the server\u2019s processes once the model was loaded.",
  ),
  figure("gpu-memory-peak", "GPU memory, peak", "Most GPU memory that the server\u2019s processes held at once."),
  figure("gpu-use", "GPU use", "How much of the time the GPU was at work while the server had requests. 0 to 100 %."),
  figure(
    "mean-power",
    "mean power",
    "Watts while the server had requests, its GPUs and the processors that could be read together.",
  ),
  figure(
    "power-limit",
    "power limit",
    "Watts that the GPUs that served may draw together, as their driver enforces it.",
  ),
  figure(
    "peak-temperature",
    "temperature, peak",
    "Degrees Celsius of the hottest reading of a GPU while the server had requests. Heat slows a GPU from its own limit on.",
  ),
  figure(
    "slowed-by-heat",
    "slowed by heat",
    "Share of the readings in which heat or the hardware held the GPU\u2019s clocks down. Above 0 the speed is not that of a cool GPU.",
  ),
  figure(
    "at-power-limit",
    "at the power limit",
    "Share of the readings in which the limit of power held the GPU\u2019s clocks down. Usual of a GPU that is busy.",
  ),
  figure(
    "gpu-others",
    "other processes",
    "Processes of others that were seen on the same GPUs: what they drew is in the energy.",
  ),
  figure("running", "running", "Requests that the server worked on at once, the highest reading."),
  figure("waiting", "waiting", "Requests that waited inside of the server, the highest reading. Above 0 it was full."),
  figure(
    "kv-cache",
    "KV cache",
    "How full the memory for open requests was, the highest reading. 0 to 100 %; close to 100 % requests wait or are thrown out.",
  ),
  figure("prefix-hits", "prefix cache hits", "Prompt tokens that the server did not have to read again. 0 to 100 %."),
  figure("preemptions", "preemptions", "Requests that were thrown out for want of memory and begun again."),
  part(
    "section-prompt-cache",
    "Prompt cache: hits and misses",
    "Time and cost where the service\u2019s prompt cache held the prompt, beside those where it did not.",
    {
      also: ["prompt cache"],
    },
  ),
  word(
    "cache-hit",
    "hits",
    "Answers of whose prompt at least half came from the service\u2019s cache, as the service reports. The others are misses.",
    {
      also: ["misses"],
      note: "Hits and misses are answers to different samples.",
    },
  ),
  figure("from-cache", "from the cache", "Cached prompt tokens over prompt tokens. 0 to 100 %.", {
    also: ["from the cache, hits", "from the cache, misses", "prompt cache hits"],
  }),
  figure(
    "cache-first-token",
    "first token, hits",
    "Median time to first token of these answers. Milliseconds; cold starts are left out.",
    { also: ["first token, misses"] },
  ),
  figure("cache-cost", "$ per answer, hits", "US dollars of one of these answers. Mean.", {
    also: ["$ per answer, misses"],
  }),
  figure("not-reported", "not reported", "Answers of which the service did not say how much came from its cache."),
  part(
    "section-cold-start",
    "Cold start: load and first token",
    "How long a model takes from nothing to its first token. Cold answers are in no latency.",
  ),
  figure(
    "download",
    "download",
    "Time of fetching the model, where the server\u2019s log states it; it is inside of the load. Milliseconds.",
  ),
  figure("load-time", "load", "From the start of the server\u2019s process until it was ready. Milliseconds.", {
    also: ["load time"],
    place: "table",
  }),
  figure("first-token-cold", "first token, cold", "Time to first token of the first request. Milliseconds."),
  figure("first-token-warm", "first token, warm", "Median time to first token of the later requests. Milliseconds."),
  part(
    "section-throughput",
    "Throughput: in total, per user, per GPU, per dollar",
    "Tokens a second as services and machines are compared elsewhere, at this run\u2019s load. Runs keep few requests in flight: what a machine can do says evalkit bench.",
  ),
  figure("total-tps", "total TPS", "Output tokens a second of all requests together at this run\u2019s load.", {
    also: ["total tps, o200k"],
  }),
  figure(
    "per-user",
    "tokens/s per user",
    "Output tokens over the time of their requests: what one user sees, the wait for the first token included.",
    {
      also: ["tokens/s per user, o200k"],
    },
  ),
  figure("per-gpu", "tokens/s per GPU", "Total tokens a second over the number of GPUs that ran the server."),
  figure("tokens-per-dollar", "tokens per $", "Output tokens for one US dollar of the whole cost, failures included.", {
    also: ["tokens per $, o200k"],
  }),
  part(
    "section-batches",
    "Batches",
    "How the services\u2019 batches went: they are cheaper and come within hours; their times are in no latency.",
  ),
  word("batch", "batch", "The service\u2019s own name of the batch."),
  figure("without-result", "without a result", "Requests of the batch that came back without an answer."),
  word("batch-end", "end", "How the batch ended: completed, expired, cancelled or failed."),
  word("batch-sent", "sent", "When the batch was sent."),
  figure("turnaround", "turnaround", "From sending to having all results, as far as the run looked."),
  part(
    "section-load",
    "Load",
    "Throughput against how many requests are under way: where the line stops rising the endpoint is full.",
    { place: "section" },
  ),
]
