import { figure, part, type Term, word } from "./term.ts"

/** Hallucination, citations, pipelines that lose passages, answers that cannot be read. */
export const groundingTerms: readonly Term[] = [
  part(
    "section-hallucination",
    "Hallucination",
    "Claims in answers that nothing supports, by one or several lenses: each sees other faults and misses others.",
    {
      also: ["hallucination, measured by *"],
    },
  ),
  figure("hallucination-rate", "hallucination rate", "Answers that the lens flags. 0 to 100 %, lower is better."),
  figure("mean-score", "mean score", "The lens\u2019s own score, averaged over the answers."),
  figure(
    "unsupported",
    "unsupported per 1,000 tokens",
    "Statements without support, per 1,000 tokens of answers: longer answers have more chances to be wrong.",
  ),
  figure(
    "auroc",
    "lens: AUROC",
    "How often the lens scores an answer that people labelled as hallucinated higher than one that is not. 0.5 is chance, 1 is perfect.",
    { also: ["auroc"] },
  ),
  word(
    "lens",
    "lens",
    "One way of looking for hallucinations or toxicity, such as a judge, an entailment model or a list of facts.",
  ),
  word(
    "lens-cost",
    "cost of an answer",
    "What the lens needs for one answer: calls of a judge, a small model, or nothing.",
  ),
  word("blind-spot", "blind spot", "What the lens cannot see."),
  part(
    "section-citations",
    "What answers cite",
    "Whether an answer\u2019s sentences rest on the passages that they cite.",
    {
      also: ["whether sentences rest on what they cite*", "whether citations help*"],
    },
  ),
  figure(
    "cited-support",
    "sentences supported by what they cite",
    "Of an answer\u2019s sentences those that the cited passages together support; the mean over answers. 0 to 100 %.",
  ),
  figure(
    "uncited",
    "sentences without a citation",
    "Of an answer\u2019s sentences those that cite nothing; the mean over answers. 0 to 100 %.",
  ),
  word("sentences", "sentences", "Sentences of all answers together."),
  figure(
    "citations-that-help",
    "citations that help",
    "Of an answer\u2019s citations those that support their sentence and are needed for it; the mean over answers. 0 to 100 %.",
  ),
  word(
    "citations",
    "citations",
    "Citations of all answers together: not needed are those without which the sentence stands as well.",
    {
      also: ["not needed", "of unsupported sentences"],
    },
  ),
  figure(
    "invented-citations",
    "answers that cite a passage which does not exist",
    "Answers with at least one citation of a passage that they were not given. 0 to 100 %.",
  ),
  part(
    "section-lost",
    "Which stage lost the answer",
    "For each stage of a pipeline: how often it is the first one after which no passage is left that the answer needs.",
    {
      also: ["which stage lost the answer*"],
    },
  ),
  figure("lost-here", "answers lost here", "Answers whose last needed passage was dropped by this stage."),
  figure("of-them", "value of them", "The mean of the metric over the answers of the row alone.", {
    also: ["* of them"],
  }),
  part(
    "section-unread",
    "What unreadable answers count as",
    "How far the score hangs on the rule for answers from which no choice can be read.",
    {
      also: ["what unreadable answers count as*"],
    },
  ),
  part(
    "section-two-readings",
    "Answers read in two ways",
    "Answers that are right by one reading and wrong by another: in the form that most answers have, or wherever they give an answer.",
    { also: ["answers read in two ways*"] },
  ),
  figure(
    "two-ways",
    "read in two ways",
    "Answers that the strict reading and the lenient one score differently. A verdict that turns with them is inconclusive.",
  ),
  figure(
    "strict-reading",
    "strict reading",
    "The score by the first number or label of the form that most answers have (a JSON member or \\boxed{}, a mark such as \u201cThe answer is\u201d, nothing but the answer), as published scores count. Answers without it are wrong.",
  ),
  figure(
    "first-reading",
    "first reading",
    "The metric's own figure: by the first of its rules that finds an answer, wherever it stands.",
  ),
  figure(
    "lenient-reading",
    "lenient reading",
    "The score by the last number of the text, wherever it stands (as lm-eval\u2019s flexible extraction), or by another label that the answer gives.",
  ),
  figure("not-readable", "not readable", "Answers from which no choice can be read, failed calls among them."),
  figure(
    "unread-rules",
    "counted as wrong (lower bound)",
    "The score if unreadable answers count as wrong, as a guess, not at all, or as right. The first and the last are bounds over every possible reading.",
    { also: ["as a guess", "left out", "counted as right (upper bound)"] },
  ),
]
