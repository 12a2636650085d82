import { figure, type Term, word } from "./term.ts"

/** Columns of `evalkit plan`, `run --dry-run`, `compare --canary`, `trend`, `runs` and `prices`. */
export const planTerms: readonly Term[] = [
  figure(
    "finds",
    "finds a difference",
    "The power of a run of this many samples: in how many of 100 runs a true difference of the size above the column would be found.",
    { also: ["finds *"] },
  ),
  figure(
    "shows-not-worse",
    "shows not worse",
    "In how many of 100 runs of this many samples two equal variants would be shown to differ by less than the margin.",
    { note: "It needs more samples than finding a difference of the same size: absence is harder to show." },
  ),
  word(
    "repeats",
    "repeats",
    "How often each sample is asked of each variant. More repeats make each sample\u2019s mean steadier, at a call each.",
  ),
  figure(
    "calls-per-side",
    "calls per side",
    "Calls of one variant: samples \u00d7 repeats. Both variants together need twice as many.",
  ),
  figure("planned-calls", "calls", "Calls that the run would make of the variant, at most.", {
    also: ["calls at most"],
    place: "plan",
  }),
  figure(
    "tokens-at-most",
    "answer tokens, at most",
    "Tokens that all answers could have if each came to its limit (maxTokens). Real runs stay below it.",
  ),
  figure(
    "cost-at-most",
    "cost, at most",
    "US dollars by the price of the variant if every answer came to its token limit. Unknown where a price is.",
  ),
  word("canary", "canary", "The share of the requests that the candidate gets while the baseline answers the rest.", {
    also: ["canary share"],
  }),
  figure(
    "mixed-quality",
    "metric, all requests",
    "The metric over all requests, when the candidate answers its share and the baseline the others.",
    { also: ["*, all"] },
  ),
  figure(
    "requests-to-detect",
    "requests to find the loss",
    "Requests in all, of both variants, after which a loss as large as the margin is found with 80 % power, when each request has one answer.",
  ),
  figure(
    "requests-in-shadow",
    "in shadow",
    "The same when the candidate also answers requests whose answer the baseline gives to the user: pairs need fewer requests.",
  ),
  figure("days", "days", "Requests to find the loss, divided by the requests a day that were stated."),
  figure(
    "since-baseline",
    "since baseline",
    "The run\u2019s figure minus that of the run which the others are compared with, over the samples that both asked.",
  ),
  word("started", "started", "When the run began, in the time zone of this machine.", { also: ["date"] }),
  word(
    "run-status",
    "status",
    "Running; finished; stopped: its process is gone, evalkit run --resume goes on; or waiting for the answers of a batch.",
  ),
  word(
    "tags",
    "tags and last note",
    "Words by which a run is found (evalkit tag) and what somebody said of it (evalkit note).",
    {
      also: ["tags"],
    },
  ),
  word("run-word", "run", "One evaluation with its own id: the same questions, asked of all variants.", {
    also: ["run id"],
  }),
  word("run-name", "name", "The name that the config gives the evaluation.", { place: "runs" }),
  word(
    "provider-word",
    "provider",
    "The service or program that answers: a hosted endpoint, a local model, a function of yours.",
  ),
  word("model-word", "model", "The model\u2019s name as its provider knows it."),
  figure("rate-input", "input (price)", "US dollars per million tokens of the prompt.", {
    also: ["input"],
    place: "prices",
  }),
  figure(
    "rate-cached",
    "cached (price)",
    "US dollars per million prompt tokens that the service\u2019s cache served.",
    {
      also: ["cached"],
      place: "prices",
    },
  ),
  figure("rate-output", "output (price)", "US dollars per million tokens of the answer, thinking included.", {
    also: ["output"],
    place: "prices",
  }),
  word(
    "read-on",
    "read on",
    "The day on which somebody read the price at its source. Prices change: look at the date.",
  ),
  word("source", "source", "Where the price was read."),
  word("rate", "rate", "The class of tokens that a price is for: input, cached input, output \u2026"),
  word(
    "price-book",
    "price book",
    "The prices that come with evalkit, each with its source and the day on which it was read.",
    {
      note: "Your own price in a variant\u2019s config goes before it.",
    },
  ),
]
