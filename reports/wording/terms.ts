import { columnWords } from "./column-words.ts"
import { verdictMeanings } from "./verdict-words.ts"

/** A word of the report, explained. */
export interface Term {
  /** As it is asked for: `ttft`. Also the end of its anchor in a page. */
  readonly id: string
  /** As it is shown. */
  readonly title: string
  readonly kind: "verdict" | "figure" | "word"
  /** One or two sentences in plain words. */
  readonly text: string
  /** What it is mistaken for, or what to do about it. */
  readonly note?: string
  /** Other spellings, in lower case. */
  readonly also?: readonly string[]
}

/** Verdicts, figures and words that a report uses: what `evalkit explain` prints, and the glossary at a page's end. */
export const terms: readonly Term[] = [
  verdict("swap", "SWAP", verdictMeanings.swap),
  verdict("keep", "KEEP", verdictMeanings.keep),
  verdict(
    "inconclusive",
    "INCONCLUSIVE",
    verdictMeanings.inconclusive,
    "The sentence beside it says what is missing, mostly how many samples. Ask them with --extend; do not ask the same samples again until it passes.",
  ),
  verdict("not-comparable", "NOT COMPARABLE", verdictMeanings.not_comparable, "The reason stands beside it.", [
    "not_comparable",
    "not comparable",
  ]),
  verdict("invalid", "INVALID", verdictMeanings.invalid, "The checks in \u201cMethod\u201d say which one failed."),
  figure(
    "ttft",
    "time to first token",
    columnWords.ttftMs,
    "It is not the first byte, and not the end of the wait where a model thinks before it answers.",
    ["ttftms", "ttft p50", "ttft p95"],
  ),
  figure(
    "ttfo",
    "time to first answer token",
    "Time until the first token that is not thinking. Where no thinking is streamed it is the time to first token.",
    undefined,
    ["ttfoms"],
  ),
  figure("e2e", "end to end", columnWords.e2eMs, "Long answers take longer: compare it together with their length.", [
    "e2ems",
    "end-to-end",
    "latency",
  ]),
  figure(
    "tpot",
    "time per output token",
    "Time for each token after the first: (end to end − time to first token) / (tokens − 1). Milliseconds, lower is better.",
    undefined,
    ["tpotms"],
  ),
  figure(
    "itl",
    "inter-token latency",
    "Time between two tokens that follow each other: long ones are seen as stutter. Milliseconds, lower is better.",
    undefined,
    ["itlms"],
  ),
  figure(
    "decode-speed",
    "decode speed",
    columnWords.tokensPerSecond,
    "What all answers together bring a second is the throughput.",
    ["decode", "decode t/s", "tokenspersecond"],
  ),
  figure(
    "throughput",
    "throughput",
    "Tokens or requests per second of all requests together.",
    "It counts answers that came too late for anybody: see goodput.",
    ["tokens/s", "systemtokenspersecond", "requestspersecond"],
  ),
  figure("goodput", "goodput", "Requests per second that met every objective (SLO). The figure to plan machines by."),
  figure(
    "cost",
    "cost",
    "US dollars by the price that stands in \u201cMethod\u201d, each class of tokens at its own rate. A class without a rate makes it unknown, never 0.",
    undefined,
    ["costusd", "$"],
  ),
  figure(
    "cost-per-1k",
    "cost of 1,000 requests",
    columnWords.perThousandUsd,
    "A class of tokens without a rate makes it unknown, never 0.",
    ["$ per 1k", "perthousandusd"],
  ),
  figure(
    "cost-per-correct",
    "cost per correct answer",
    "All dollars, those of wrong and failed answers too, divided by the answers that are right.",
    "A cheap model that is often wrong cannot hide here.",
    ["percorrectusd"],
  ),
  figure("availability", "availability", "Share of the planned calls that ended in an answer that can be used."),
  figure("failed", "failed", columnWords.failed, "A failed answer is a loss in every comparison.", ["failures"]),
  figure("size", "model size", columnWords.modelBytes, undefined, ["modelbytes"]),
  figure("memory", "memory", columnWords.memoryBytes, undefined, ["memorybytes"]),
  figure("energy", "energy per answer", columnWords.joulesPerAnswer, undefined, ["joulesperanswer", "j per answer"]),
  figure("energy-per-correct", "energy per correct answer", columnWords.joulesPerCorrect, undefined, [
    "joulespercorrect",
    "j per correct",
  ]),
  figure("electricity", "electricity per 1k", columnWords.electricityUsdPerThousand, undefined, [
    "electricityusdperthousand",
  ]),
  figure("emissions", "g CO2e per 1k", columnWords.gramsCo2PerThousand, undefined, ["gramsco2perthousand"]),
  figure(
    "divergence",
    "divergence",
    "How far the probabilities of the next token moved from the baseline\u2019s, in nats per token; 0 is the same model.",
  ),
  figure(
    "flips",
    "flips",
    "Answers that went from right to wrong, and from wrong to right.",
    "Accuracy can stay while many answers change.",
  ),
  figure("calibration", "calibration", "Whether answers that are 90 % sure are right in 90 % of cases."),
  figure(
    "client-error",
    "client error",
    "How far evalkit\u2019s own time stamps were off at this load. A figure that it could change by more than 5 % is marked invalid.",
  ),
  word(
    "interval",
    "interval",
    "Where the true figure may lie. Its level, 1 − alpha, is the share of runs in which such intervals hold the truth.",
    "The figure in the middle is not certain; two figures whose intervals overlap may still differ when they are paired.",
    ["confidence interval", "±"],
  ),
  word(
    "margin",
    "margin",
    "The largest loss that still counts as \u201cnot worse\u201d, in the metric\u2019s own unit. You choose it before you look.",
  ),
  word("baseline", "baseline", "The variant that is in use today; the others are compared with it."),
  word(
    "variant",
    "variant",
    "One thing that is compared: model, quantization, provider, prompt and parameters together.",
  ),
  word(
    "pairs",
    "pairs",
    "Samples that both variants were asked: they are compared one by one, so that hard samples are hard for both.",
    undefined,
    ["paired"],
  ),
  word(
    "frontier",
    "frontier",
    "Variants that no other beats in everything at once: quality, speed and cost.",
    "Each has a probability of being on it, since figures are uncertain.",
    ["pareto"],
  ),
  word("dominated", "dominated", "Another variant is at least as good in everything and better in something."),
  word("constraint", "constraint", "A limit that a variant must keep, such as ttftMs.p95 <= 800.", undefined, [
    "limit",
  ]),
  word(
    "percentile",
    "percentile",
    "p95 = 800 ms: 95 of 100 requests were faster than 800 ms. p50 is the middle one.",
    "The mean hides slow requests; percentiles do not.",
    ["p50", "p90", "p95", "p99", "median"],
  ),
  word(
    "unscored",
    "unscored",
    "An answer that a metric could not measure, with the reason. It is never counted as 0.",
    "In a comparison it counts as the worst value, so that a variant that fails cannot win by it.",
  ),
  word("unknown", "unknown", "A figure that was not or could not be measured, with the reason. Never read it as 0."),
  word("replayed", "replayed", "An answer from the cache. Its latency counts nowhere."),
  word(
    "alpha",
    "alpha",
    "The error rate of intervals and tests: an interval at 0.05 misses the truth in 5 of 100 runs.",
    undefined,
    ["significance", "p-value"],
  ),
  word("power", "power", "The probability that a run of this size finds a difference that is really there."),
  word(
    "cascade",
    "cascade",
    "Ask the cheap model first, and the dear one only where the first was not sure.",
    undefined,
    ["router"],
  ),
  word(
    "judge",
    "judge",
    "A model that grades answers by a rubric. Its card says how often it agrees with people and with itself.",
  ),
  word("slo", "SLO", "What you promise of each request, such as ttft<800ms,tpot<50ms.", undefined, ["objective"]),
  word(
    "slice",
    "slice",
    "A part of the samples, such as long prompts. The report says which slices moved, with false alarms held at alpha.",
    undefined,
    ["slices"],
  ),
  word(
    "signature",
    "signature",
    "What a metric\u2019s figure depends on. Figures of equal signatures were computed in the same way.",
  ),
]

/** The term of this name or spelling, in any case. */
export function findTerm(name: string): Term | undefined {
  const wanted = name.trim().toLowerCase()
  return terms.find(
    ({ id, title, also = [] }) => id === wanted || title.toLowerCase() === wanted || also.includes(wanted),
  )
}

function verdict(id: string, title: string, text: string, note?: string, also?: readonly string[]): Term {
  return { id, title, kind: "verdict", text, ...(note && { note }), ...(also && { also }) }
}

function figure(id: string, title: string, text: string, note?: string, also?: readonly string[]): Term {
  return { id, title, kind: "figure", text, ...(note && { note }), ...(also && { also }) }
}

function word(id: string, title: string, text: string, note?: string, also?: readonly string[]): Term {
  return { id, title, kind: "word", text, ...(note && { note }), ...(also && { also }) }
}
