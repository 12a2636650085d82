import { figure, part, type Term, word } from "./term.ts"

/** Calibration, divergence, perplexity, robustness, classes, fairness, early stopping. */
export const qualityTerms: readonly Term[] = [
  part(
    "section-calibration",
    "Calibration of confidence",
    "Whether a model is as often right as it is sure. A point below the diagonal is overconfident.",
    { also: ["calibration of *"], place: "section" },
  ),
  figure("calibration", "calibration", "Whether answers that are 90 % sure are right in 90 % of cases."),
  figure(
    "expected-calibration-error",
    "expected calibration error",
    "Answers are put into bins by their confidence; the mean distance between a bin\u2019s confidence and its share right, weighted by its answers. 0 to 100 %, lower is better.",
    {
      note: "It depends on the bins, and is never quite 0 for few answers.",
      also: ["calibration error before", "after", "ece"],
    },
  ),
  figure("share-right", "share right", "Of the answers in a bin or group the part that is right. 0 to 100 %.", {
    also: ["right"],
  }),
  word(
    "recalibration",
    "recalibration",
    "Bending a model\u2019s confidence so that it fits: by one temperature, by Platt\u2019s two numbers, or by steps (isotonic). Fitted on one half of the answers, shown on the other.",
  ),
  figure(
    "held-out",
    "held-out answers",
    "Answers that the recalibration was not fitted on: its effect is shown on them.",
  ),
  figure(
    "loss-before",
    "loss before",
    "Mean negative log-likelihood of right and wrong under the stated confidence, before and after recalibration. Nats, lower is better.",
    {
      also: ["loss after"],
    },
  ),
  part(
    "section-divergence",
    "Token distributions compared",
    "How far each variant\u2019s probabilities of the next token are from the baseline\u2019s, on the same text.",
    { also: ["token distributions compared with *", "divergence from the baseline"] },
  ),
  figure(
    "divergence",
    "divergence",
    "How far the probabilities of the next token moved from the baseline\u2019s, in nats per token; 0 is the same model.",
    {
      note: "Compared up to the first token that differs; tokens outside of both lists of alternatives count as one, so that it is a lower bound.",
      also: ["mean kl divergence", "p99 kl divergence", "kl divergence", "kl divergence, nats/token"],
    },
  ),
  figure(
    "same-top-token",
    "same top token",
    "Positions at which both variants find the same token likeliest. 0 to 100 %.",
  ),
  figure(
    "first-difference",
    "first difference (median)",
    "Tokens until the two texts differ for the first time; the middle one of all answers.",
    {
      also: ["first difference"],
    },
  ),
  figure("same-text", "same text", "Answers that are the same, character by character. 0 to 100 %."),
  figure("changed-but-equal", "changed but equal", "Answers whose text changed and whose score did not."),
  part(
    "section-quantizations",
    "Quantizations of a model",
    "A row for each thing that was measured, a column for each number format, all against the same reference.",
    {
      also: ["quantizations of *"],
    },
  ),
  figure(
    "perplexity",
    "perplexity",
    "e to the mean surprise per token over given texts; a model that always knew the next token has 1. Lower is better.",
    {
      note: "Per token it compares only models that cut text alike; per word and bits per byte compare any.",
      also: ["perplexity per token", "per word", "texts: perplexity"],
    },
  ),
  figure(
    "bits-per-byte",
    "bits per byte",
    "Surprise over given texts in bits, per byte of text. Lower is better; models with any tokenizers compare by it.",
  ),
  figure(
    "perplexity-ratio",
    "ratio to another variant",
    "Perplexity over that of the first variant, over the texts that both scored. 1 is no change, above 1 is more surprised.",
    {
      also: ["ratio to *"],
    },
  ),
  word("texts", "texts", "Given texts that were scored."),
  part(
    "section-perplexity",
    "Perplexity of given texts",
    "How surprised each model is by texts that it did not write. Nothing is generated for it.",
    {
      also: ["*: how surprised each model is by the given texts"],
    },
  ),
  part(
    "section-surprise",
    "Perplexity by word frequency, position and field",
    "Where a quantization reads worse: rare words, the beginning or the end of texts, single fields of the data. A few parts may move by chance; the sentence says which did beyond it.",
  ),
  word(
    "part-of-texts",
    "part of the texts",
    "Tokens by how often they occur in the texts, by their position, or by a field of their sample.",
  ),
  figure(
    "answer-lengths-of",
    "length of answers",
    "Output tokens of an answer, as a change against the reference. Longer answers eat a speed-up.",
  ),
  figure(
    "time-per-correct",
    "time per correct answer",
    "The time of all answers over the correct ones, as a change: wrong and failed answers take time, too.",
  ),
  part(
    "section-robustness",
    "Robustness to small changes of the input",
    "The same questions with typing errors, other case, other spacing: what the score loses.",
    {
      also: ["robustness"],
    },
  ),
  word("perturbation", "perturbation", "A small change of the input that leaves its meaning, such as a typing error."),
  figure(
    "worst-case",
    "worst case per sample",
    "The lowest score that a sample gets under any of the changes, averaged over the samples.",
    {
      also: ["*, worst case per sample"],
    },
  ),
  figure(
    "unchanged-answers",
    "unchanged answers",
    "Answers whose text stays the same under every change of the input. 0 to 100 %.",
  ),
  part(
    "section-confusion",
    "Which classes are taken for which",
    "A row per true class, a column per class that the answer names: the diagonal is right.",
    { also: ["which classes are taken for which*"] },
  ),
  word("true-class", "true class", "The class that the sample is of, by its reference."),
  word("class", "class", "One of the answers that a classifier may give."),
  word("no-class", "no class", "No class can be read from the answer."),
  figure("precision", "precision", "Of the answers that name the class, those that are right. 0 to 100 %.", {
    also: ["lens: precision"],
    note: "Of a lens: of the answers that it flags, those that people labelled so.",
  }),
  figure("recall", "recall", "Of the samples of the class, those whose answer names it. 0 to 100 %.", {
    also: ["lens: recall"],
    note: "Of a lens: of the answers that people labelled, those that it flags.",
  }),
  figure("f1", "F1", "2 × precision × recall / (precision + recall): high only where both are. 0 to 100 %."),
  word("confusion-takes", "takes \u2026 for", "The true class, and the class that the answer names instead.", {
    also: ["takes", "for"],
  }),
  figure(
    "newly-confused",
    "newly",
    "Samples that the variant confuses so and the baseline does not; \u201cno longer\u201d is the reverse.",
    { also: ["no longer"] },
  ),
  part("section-fairness", "Fairness by group", "The same metric for each group of samples, and the largest gap.", {
    also: [
      "fairness",
      "whether answers are equally good for all groups*",
      "whether decisions are equal across groups*",
    ],
  }),
  figure("largest-gap", "largest gap", "The highest group\u2019s figure minus the lowest one\u2019s.", {
    note: "Of many small groups two lie far apart by chance alone: read its interval.",
  }),
  part(
    "section-early-stopping",
    "Early stopping",
    "The run asked fewer samples of candidates whose verdict was settled, with the error rate kept.",
    { also: ["early stopping"] },
  ),
  word("early-finding", "finding", "What was settled of the candidate: not inferior, inferior, or still open."),
  figure("decided-after", "decided after", "Samples after which the finding was settled."),
  figure(
    "asked-samples",
    "asked",
    "Samples that the candidate was asked in all; those under way when it was settled are counted.",
  ),
]
