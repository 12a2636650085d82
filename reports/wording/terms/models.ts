import { figure, part, type Term, word } from "./term.ts"

/** Tokens, context windows and lengths of answers. */
export const modelTerms: readonly Term[] = [
  part(
    "section-tokens",
    "What a token is",
    "Every model cuts text into pieces of its own: by o200k tokens and by characters speeds and prices compare.",
  ),
  figure(
    "own-tokens",
    "own tokens per answer",
    "Tokens that the provider counts for an answer, hidden thinking included. Mean.",
  ),
  figure("o200k", "o200k tokens", "The answer\u2019s text counted by one tokenizer for all variants, that of gpt-4o.", {
    also: ["o200k tokens per answer", "o200k tokens/s"],
  }),
  figure("characters", "characters per answer", "Characters (Unicode code points) of an answer. Mean."),
  figure(
    "characters-per-second",
    "characters/s",
    "Characters a second after the first token, median over answers: how fast a reader sees text, whatever a token is.",
  ),
  figure(
    "usd-per-million",
    "$ per million o200k tokens",
    "US dollars per million of what was written, the whole cost with failures.",
    {
      also: ["$ per million characters"],
    },
  ),
  part(
    "section-context-window",
    "Use of the context window",
    "Whether prompts and answers fitted into what the model can hold at once.",
    { also: ["context window used"] },
  ),
  figure("context-window", "context window", "Tokens that the model can hold, prompt and answer together.", {
    also: ["window"],
  }),
  figure(
    "window-used",
    "used, p50",
    "(prompt + output tokens) / context window of a request; p50 is the middle request, p95 and p99 the fullest ones. 0 to 100 %.",
    {
      also: ["used, p95", "use p50", "use p99"],
    },
  ),
  figure(
    "largest-request",
    "largest request",
    "The fullest request: (prompt + output tokens) / context window. A little over 100 % means that the stated window is too small.",
  ),
  figure("over-90", "over 90 %", "Requests that used more than 90 % of the context window."),
  figure(
    "ended-at-limit",
    "ended at a token limit",
    "Answers that ended at a token limit, whichever: their ends are missing.",
  ),
  figure(
    "cut-by-window",
    "cut off by the window",
    "Answers that ended with the context window full, not at a limit that was sent.",
  ),
  figure("refused-too-long", "refused as too long", "Requests that the endpoint refused because they would not fit.", {
    also: ["too long for the window"],
  }),
  part(
    "section-answer-lengths",
    "Lengths of the answers",
    "Whether times and costs are of answers of like length: a variant that writes less is faster for that alone.",
  ),
  figure(
    "tokens-median",
    "tokens per answer, median",
    "The middle answer\u2019s tokens, by the provider\u2019s count.",
  ),
  figure("limit-sent", "limit sent", "Tokens that an answer was allowed or asked to have. Mean."),
  figure("cut-at-limit", "cut off at the limit", "Answers that were cut off at their token limit. 0 to 100 %."),
  figure(
    "shorter-than-asked",
    "shorter than asked",
    "Answers that ended before the length that was asked for. 0 to 100 %.",
  ),
  figure(
    "time-all-answers",
    "time, all answers",
    "Change of the time of an answer against the baseline\u2019s to the same sample; the median over pairs, in per cent.",
  ),
  figure(
    "time-like-length",
    "time, like length",
    "The same over pairs whose answers differ in length by at most a tenth: what is left when length explains nothing.",
  ),
  figure("pairs-like-length", "pairs of like length", "Pairs whose answers differ in length by at most a tenth."),
  figure(
    "time-per-token-change",
    "time per token (change)",
    "Change of the time per token against the baseline\u2019s, median over pairs. Per cent.",
    {
      also: ["time per token"],
      place: "table",
    },
  ),
  word("against-model", "against a model", "The model that the others of the table are compared with.", {
    place: "quantization",
    also: ["against"],
  }),
]
