import { figure, type Term, word } from "./term.ts"

const scale = "1 is full agreement, 0 what chance alone would give, below 0 less than that."

/** Quality that is no plain share of right answers, and judges beside people. */
export const qualityTerms: readonly Term[] = [
  word("calibration", "calibration", {
    text: "Whether answers that are 90 % sure are right in 90 % of cases. The confidence is what the model says, or what its token probabilities say.",
    also: ["confidence", "calibration of confidence"],
  }),
  figure("expected-calibration-error", "expected calibration error", {
    text: "Answers are put into bins by their confidence; the mean distance between a bin\u2019s confidence and its share right, weighted by its answers. 0 to 100 %, lower is better.",
    note: "It depends on the bins, and is never quite 0 for few answers.",
    also: ["ece"],
  }),
  figure("divergence", "divergence", {
    text: "Kullback\u2013Leibler divergence: how far the probabilities of the next token moved from the baseline\u2019s, in nats per token; 0 is the same model.",
    note: "Compared up to the first token that differs; tokens outside of both lists of alternatives count as one, so that it is a lower bound.",
    also: ["kl divergence", "mean kl divergence", "p99 kl divergence"],
  }),
  figure("perplexity", "perplexity", {
    text: "e to the mean surprisal per token over given texts; a model that always knew the next token has 1. Bits per byte is the same per byte of text, as a logarithm to base 2. Lower is better.",
    note: "Per token it compares only models that cut text alike; per word and bits per byte compare any.",
    also: ["perplexity per token", "bits per byte", "surprisal"],
  }),
  figure("f1", "F1", {
    text: "2 \u00d7 precision \u00d7 recall / (precision + recall). Precision: of the answers that name the class, those that are right. Recall: of the samples of the class, those whose answer names it. 0 to 100 %.",
    also: ["precision", "recall"],
  }),
  figure("auroc", "AUROC", {
    text: "How often a score is higher for an answer that people labelled so than for one that they did not (area under the ROC curve). 0.5 is chance, 1 is perfect.",
  }),
  figure("pass-at-k", "pass@k", {
    text: "Tasks that are solved in at least one of k tries, estimated from all tries of each task. 0 to 100 %.",
    note: "It helps only who can tell which try was right.",
  }),
  figure("pass-hat-k", "pass^k", {
    text: "Tasks that are solved in all of k tries: what a user can rely on. 0 to 100 %.",
  }),
  figure("kappa", "Cohen\u2019s kappa", {
    text: `Agreement of two beyond chance: (agreement \u2212 agreement by chance) / (1 \u2212 agreement by chance). ${scale} With quadratic weights a difference of two grades counts four times as much as one of one; Fleiss\u2019 kappa is of several people. Source: Cohen 1960, 1968; Fleiss 1971.`,
    note: "Where nearly all answers get one label, agreement alone is high by chance.",
    also: ["kappa", "weighted kappa", "cohen\u2019s kappa, quadratic weights", "fleiss\u2019 kappa", "agreement"],
  }),
  figure("krippendorff-alpha", "Krippendorff\u2019s alpha", {
    text: `Agreement beyond chance of any number of judges, gaps allowed; on ordered scores a near miss counts less than a far one. ${scale}`,
  }),
  figure("gwet-ac1", "Gwet\u2019s AC1", {
    text: `Agreement beyond chance, with a chance that does not grow when nearly all answers get one label, which kappa\u2019s does. AC2 is the same for ordered grades. ${scale} Source: Gwet 2008, 2014.`,
    also: ["gwet's ac2", "gwet's ac2, quadratic weights"],
  }),
  figure("icc", "ICC(2,1)", {
    text: "Intraclass correlation: the share of the scores\u2019 variance that comes from the answers and not from the people or from noise. Up to 1. Source: Shrout and Fleiss 1979.",
    also: ["icc"],
  }),
  figure("correlation", "correlation", {
    text: "How two lists of scores go together, \u22121 to 1. Pearson: along a straight line. Spearman: of the ranks, along any curve. Kendall\u2019s tau-b: pairs in the same order minus pairs in the opposite order, over all pairs, with ties allowed for.",
    note: "It does not see a judge that is always one grade too kind: read the two means beside it.",
    also: [
      ...["correlations", "pearson", "pearson's correlation", "spearman", "spearman's rank correlation"],
      ...["kendall", "kendall's tau", "kendall's tau-b"],
    ],
  }),
  figure("prediction-powered-inference", "prediction-powered inference", {
    text: "The judge\u2019s mean over all its answers plus the people\u2019s minus the judge\u2019s mean on the labelled ones: what people would have given to all. Source: Angelopoulos et al. 2023.",
    note: "It is right even where the judge is not, if the labelled answers were drawn at random.",
    also: ["mean of the judge, corrected by the people"],
  }),
  figure("position-bias", "position bias", {
    text: "How much more often an answer wins when it is shown first: (wins when first \u2212 wins when second) / 2. 0 is fair. Position flips: comparisons in which the judge chooses otherwise when the two answers change places.",
    also: ["position flips", "first-place advantage"],
  }),
  figure("length-bias", "length bias", {
    text: "What 100 more characters add to the judge\u2019s score at equal quality, with the other judges as the measure of quality. 0: it does not care for length.",
    also: ["length slope", "length slope per 100 characters"],
  }),
  figure("self-preference", "self-preference", {
    text: "What the judge adds to answers of its own model: its score minus the others\u2019 mean on those, less the same on all other answers. 0 is fair.",
  }),
  figure("win-rate", "win rate", {
    text: "How often answers are preferred to the baseline\u2019s by a judge that compares the two in both orders: a pair is won only where both say so, else it counts half. 0 to 100 %.",
    also: ["win rates", "both orders"],
  }),
]
