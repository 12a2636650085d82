import { figure, type Term, word } from "./term.ts"

/** Words that all parts of a report use. */
export const wordTerms: readonly Term[] = [
  figure(
    "client-error",
    "client error",
    "How far evalkit\u2019s own time stamps were off at this load. A figure that it could change by more than 5 % is marked invalid.",
  ),
  word(
    "interval",
    "interval",
    "Where the true figure may lie. Its level, 1 − alpha, is the share of runs in which such intervals hold the truth.",
    {
      note: "The figure in the middle is not certain; two figures whose intervals overlap may still differ when they are paired.",
      also: ["confidence interval", "±", "* interval", "between"],
    },
  ),
  word(
    "level",
    "level",
    "Of an interval: the share of runs in which such intervals hold the truth, 1 − alpha. Of a sweep: one value of the setting that is turned, such as an effort of medium.",
    { also: ["confidence level"] },
  ),
  word(
    "margin",
    "margin",
    "The largest loss that still counts as \u201cnot worse\u201d, in the metric\u2019s own unit. You choose it before you look.",
  ),
  word("baseline", "baseline", "The variant that is in use today; the others are compared with it.", {
    also: ["against"],
  }),
  word("candidate", "candidate", "The variant that may take the baseline\u2019s place."),
  word(
    "variant",
    "variant",
    "One thing that is compared: model, quantization, provider, prompt and parameters together.",
    { also: ["variants"] },
  ),
  word(
    "quantization",
    "quantization",
    "A model\u2019s weights in numbers of fewer bits: F16 has 16, int8 and Q8 about 8, int4 and Q4 about 4. Smaller and mostly faster; what it costs in quality has to be measured.",
    {
      note: "Accuracy may stay while many single answers change: look at the flips.",
      also: ["int8", "int4", "quantisation"],
    },
  ),
  word("sample", "sample", "One question or task of the data set, with what it is scored against.", {
    also: ["samples"],
  }),
  word("input", "input", "What the model is asked: the last message of the sample\u2019s prompt, shortened."),
  word(
    "pairs",
    "pairs",
    "Samples that both variants were asked: they are compared one by one, so that hard samples are hard for both.",
    { also: ["paired", "paired by sample"] },
  ),
  word("frontier", "frontier", "Variants that no other beats in everything at once: quality, speed and cost.", {
    note: "Each has a probability of being on it, since figures are uncertain.",
    also: ["pareto", "on the frontier"],
  }),
  word("dominated", "dominated", "Another variant is at least as good in everything and better in something.", {
    also: ["dominated by"],
  }),
  word(
    "wins-at",
    "wins at",
    "For which weights of the axes the variant has the highest weighted sum, each axis scaled to 0 (worst variant) to 1 (best): the share of all weights, and with two axes the weights of the first.",
  ),
  figure(
    "hypervolume",
    "hypervolume",
    "The part of the space of all axes, each scaled to 0 to 1, that the frontier dominates. 0 to 1, higher is better.",
    { note: "It compares frontiers of the same axes and variants only." },
  ),
  word("constraint", "constraint", "A limit that a variant must keep, such as ttftMs.p95 <= 800.", {
    also: ["limit", "constraints"],
  }),
  word(
    "unscored",
    "unscored",
    "An answer that a metric could not measure, with the reason. It is never counted as 0.",
    { note: "In a comparison it counts as the worst value, so that a variant that fails cannot win by it." },
  ),
  word("unknown", "unknown", "A figure that was not or could not be measured, with the reason. Never read it as 0."),
  word("replayed", "replayed", "An answer from the cache. Its latency counts nowhere."),
  word(
    "alpha",
    "alpha",
    "The error rate of intervals and tests: an interval at 0.05 misses the truth in 5 of 100 runs.",
    { also: ["significance"] },
  ),
  word(
    "p-value",
    "p-value",
    "How often chance alone would show a difference at least this large if there were none, 0 to 1. Adjusted (Holm, or Benjamini and Hochberg): made larger because several things were looked at, so that alpha holds for all of them together.",
    {
      note: "A large p does not show that two variants are equal: read the interval.",
      also: ["p", "p (adjusted)", "p, adjusted", "p (holm)"],
    },
  ),
  word("power", "power", "The probability that a run of this size finds a difference that is really there."),
  word("cascade", "cascade", "Ask the cheap model first, and the dear one only where the first was not sure.", {
    also: ["router"],
  }),
  word(
    "judge",
    "judge",
    "A model that grades answers by a rubric. Its card says how often it agrees with people and with itself.",
  ),
  word("slo", "SLO", "What you promise of each request, such as ttft<800ms,tpot<50ms.", { also: ["objective"] }),
  word(
    "slice",
    "slice",
    "A part of the samples, such as long prompts. The report says which slices moved, with false alarms held at alpha.",
    { also: ["slices"] },
  ),
  word(
    "group",
    "group",
    "Samples that belong together, as the data set names them: a subject, a language, people of one kind.",
    { also: ["groups"] },
  ),
  word(
    "signature",
    "signature",
    "What a metric\u2019s figure depends on. Figures of equal signatures were computed in the same way.",
  ),
  word(
    "metric",
    "metric",
    "A rule that gives an answer a score. One or several of them decide; the others are watched.",
    { also: ["decides, too"] },
  ),
  word("metric-direction", "better (direction)", "Whether a higher or a lower value of the metric is better.", {
    also: ["better"],
  }),
  word("answers", "answers", "Answers of the variant that the row is computed from.", {
    also: ["answered", "checked"],
    note: "In a table of episodes: how many answers of the model an episode took.",
  }),
  word(
    "requests",
    "requests",
    "Calls of the endpoint, those that failed included; an attempt that was made again is none of its own.",
  ),
  word("share", "share", "A part of a whole, 0 to 100 %."),
  word("score", "score", "The value of a metric, in its own unit.", { also: ["value"] }),
  word("scored", "scored", "Answers that have a score, of all. The others say why they have none."),
  word(
    "confidence",
    "confidence",
    "How sure the model says, or its token probabilities say, that an answer is right. 0 to 100 %.",
  ),
]
