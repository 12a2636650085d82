import { figure, type Term, word } from "./term.ts"

/** How a comparison is made and what it may claim; frontiers and canaries. */
export const statisticsTerms: readonly Term[] = [
  word("cluster", "cluster", {
    text: "Samples that belong together: questions of one user or about one document, or the same question again. They are one piece of evidence, and intervals and tests take them together.",
    note: "Name them by the data set\u2019s field `cluster`; questions that repeat are found without it.",
  }),
  word("interval", "interval", {
    text: "Where the true figure may lie. Its level, 1 \u2212 alpha, is the share of runs in which such intervals hold the truth.",
    note: "The figure in the middle is not certain; two figures whose intervals overlap may still differ when they are paired.",
    also: ["confidence interval", "confidence level", "95 % interval", "\u00b1"],
  }),
  word("margin", "margin", {
    text: "The largest loss that still counts as \u201cnot worse\u201d (non-inferiority margin), in the metric\u2019s own unit. You choose it before you look.",
  }),
  word("baseline", "baseline", {
    text: "The variant that is in use today; the others, the candidates, are compared with it.",
    also: ["candidate"],
  }),
  word("pairs", "pairs", {
    text: "Samples that both variants were asked: they are compared one by one, so that hard samples are hard for both.",
    also: ["paired", "paired by sample"],
  }),
  figure("flips", "flips", {
    text: "Answers that went from right to wrong, and from wrong to right.",
    note: "Accuracy can stay while many answers change. Of a metric that is no right or wrong: answers whose score went down, or up.",
    also: ["right to wrong", "right \u2192 wrong", "wrong to right", "wrong \u2192 right"],
  }),
  figure("deciding-bound", "bound that decides", {
    text: "One end of a one-sided interval of the difference: the loss is at most this much, at the run\u2019s alpha. It is compared with the margin.",
    note: "It holds for any distribution, and may therefore lie outside of the two-sided interval beside it.",
    also: ["bound", "one-sided bound"],
  }),
  word("alpha", "alpha", {
    text: "The error rate of intervals and tests: an interval at 0.05 misses the truth in 5 of 100 runs.",
    also: ["significance", "significance level"],
  }),
  word("p-value", "p-value", {
    text: "How often chance alone would show a difference at least this large if there were none, 0 to 1. Adjusted: made larger because several things were looked at, so that alpha holds for all of them together.",
    note: "A large p does not show that two variants are equal: read the interval.",
    also: ["p", "p (adjusted)", "p, adjusted"],
  }),
  word("holm", "Holm", {
    text: "Adjustment of several p-values by which the chance of even one false finding stays at alpha: the smallest is multiplied by their number, the next by one less, and so on (Holm 1979).",
    also: ["p (holm)", "family-wise error rate"],
  }),
  word("false-discovery-rate", "false discovery rate", {
    text: "The expected share of false findings among all findings. Benjamini and Hochberg (1995) hold it at alpha where many things are looked at, as in slices.",
    also: ["fdr", "benjamini-hochberg"],
  }),
  word("power", "power", { text: "The probability that a run of this size finds a difference that is really there." }),
  figure("smallest-detectable", "smallest detectable", {
    text: "The smallest true difference that this many pairs would find with 80 % probability. Smaller ones may be there and not be seen.",
    also: ["minimum detectable effect"],
  }),
  word("noise-floor", "noise floor", {
    text: "What one variant differs from itself by, in a run with --aa (an A/A test): a difference of another variant that is no larger says nothing.",
    also: ["a/a test", "noise floor: the baseline against itself"],
  }),
  word("early-stopping", "early stopping", {
    text: "A run with --until decided asks no more samples of a candidate whose verdict is settled. Its looks are planned beforehand, so that alpha is kept (group sequential test).",
    also: ["sequential analysis", "group sequential test"],
  }),
  word("slice", "slice", {
    text: "A part of the samples, such as long prompts. The report says which slices moved, with false alarms held at alpha.",
    also: ["slices"],
  }),
  word("critical-samples", "critical samples", {
    text: "Samples that must not break: none may go from right (the best value of every deciding metric, in all repeats) with the baseline to wrong with a candidate. An exact count: one that breaks keeps the baseline. An answer that failed is wrong.",
    also: ["critical", "criticalbreaks", "samples that must not break"],
    note: "Beside it stands the share of samples like them that is right at least, by the exact one-sided 95 % bound of Clopper and Pearson: 20 of 20 right are at least 86 %.",
  }),
  word("hard-breaks", "hard breaks", {
    text: "Checks that no answer of a candidate may break where the baseline\u2019s keeps it, such as valid JSON, the right language, no refusal. An exact count of samples, before any average: one more than may break keeps the baseline.",
    also: ["breaks", "hard break", "hardbreak"],
    note: "A sample breaks a check where one of its answers does. A request that failed has no answer: availability and the metrics count it.",
  }),
  word("frozen-plan", "frozen plan", {
    text: "What decides a run (margin, metrics, limits, breaks, data set, alpha), written down before it by evalkit plan --freeze. The report says that it was decided by the plan, or what was changed after it.",
    also: ["plan", "evalkit.plan.json"],
  }),
  word("receipt", "receipt", {
    text: "A small file that states a run\u2019s verdict, figures and hashes, signed where a key is given. evalkit verify computes the verdict anew from the run\u2019s archive and names what differs.",
    also: ["verify", "stale"],
  }),
  word("constraint", "constraint", {
    text: "A limit that a variant must keep, such as ttftMs.p95 <= 800. Kept: the figure\u2019s whole interval lies on the good side. Broken: on the bad side. Open: the limit lies within it.",
    also: ["limit", "constraints", "kept", "broken", "violated", "open", "gate failed"],
  }),
  word("signature", "signature", {
    text: "What a metric\u2019s figure depends on. Figures of equal signatures were computed in the same way.",
  }),
  word("unscored", "unscored", {
    text: "An answer that a metric could not measure, with the reason. It is never counted as 0.",
    note: "In a comparison it counts as the worst value, so that a variant that fails cannot win by it.",
  }),
  word("unknown", "unknown", {
    text: "A figure that was not or could not be measured, with the reason. Never read it as 0.",
  }),
  word("frontier", "frontier", {
    text: "Variants that no other beats in everything at once: quality, speed and cost. A variant is dominated where another is at least as good in everything and better in something.",
    note: "Each has a probability of being on it, since figures are uncertain. The best of several is partly luck.",
    also: ["pareto", "pareto frontier", "on the frontier", "dominated", "dominated by"],
  }),
  figure("hypervolume", "hypervolume", {
    text: "The part of the space of all axes, each scaled to 0 to 1, that the frontier dominates. 0 to 1, higher is better.",
    note: "It compares frontiers of the same axes and variants only.",
  }),
  word("cascade", "cascade", {
    text: "Ask the cheap model first, and the dear one only where the first was not sure.",
    also: ["router"],
  }),
  word("knee", "knee", {
    text: "Where more of a setting or of a load stops paying. Of a sweep: the cheapest level that is not worse than the best by more than the margin. Of a load test: the smallest load with at least 0.95 of the best throughput.",
    also: ["knee in draws", "saturation", "saturated"],
  }),
  word("canary", "canary", {
    text: "The share of the requests that the candidate gets while the baseline answers the rest.",
    also: ["canary share"],
  }),
  word("labels", "labels", {
    text: "What people say of answers, as a file for evalkit judge validate, evalkit label --from and evalkit score --labels: JSON, JSON Lines or CSV, a row an answer. Columns: id of the sample, variant where there are several, human (the label), judge (its verdict, or output for the judge of the config to be asked).",
    note: "Other names by --id, --human and --judge. Several people are a column each (--human ann,ben) or a row each with --labeller naming their column.",
    also: ["labels file", "--labels", "human labels"],
  }),
]
