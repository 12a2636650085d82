import { figure, type Term, word } from "./term.ts"

const scale = "1 is full agreement, 0 what chance alone would give, below 0 less than that."

/** What `evalkit judge validate` prints of judges, of people and of both beside each other. */
export const peopleTerms: readonly Term[] = [
  figure(
    "weighted-kappa",
    "Cohen\u2019s kappa, quadratic weights",
    `Cohen\u2019s kappa for ordered grades: a difference of two grades counts four times as much as one of one. ${scale} Source: Cohen 1968.`,
    {
      also: ["weighted kappa"],
    },
  ),
  figure(
    "pearson",
    "Pearson\u2019s correlation",
    "How closely two lists of scores lie on a straight line: covariance / (deviation \u00d7 deviation). \u22121 to 1, 0 is none.",
    {
      also: ["pearson"],
      note: "It does not see a judge that is always one grade too kind: read the two means beside it.",
    },
  ),
  figure(
    "spearman",
    "Spearman\u2019s rank correlation",
    "Pearson\u2019s correlation of the ranks: whether more for the one is more for the other, along any curve. \u22121 to 1.",
    {
      also: ["spearman"],
    },
  ),
  figure(
    "kendall",
    "Kendall\u2019s tau-b",
    "Pairs that both put into the same order minus pairs in the opposite order, over all pairs, with ties allowed for. \u22121 to 1.",
    {
      also: ["kendall", "kendall's tau"],
    },
  ),
  figure(
    "fleiss-kappa",
    "Fleiss\u2019 kappa",
    `Agreement beyond chance of several people who labelled the same answers. ${scale} Source: Fleiss 1971.`,
  ),
  figure(
    "gwet-ac1",
    "Gwet\u2019s AC1",
    `Agreement beyond chance, with a chance that does not grow when nearly all answers get one label, which kappa\u2019s does. ${scale} Source: Gwet 2008.`,
  ),
  figure(
    "gwet-ac2",
    "Gwet\u2019s AC2, quadratic weights",
    `AC1 for ordered grades: a near miss counts less than a far one. ${scale} Source: Gwet 2014.`,
    {
      also: ["gwet's ac2"],
    },
  ),
  figure(
    "icc",
    "ICC(2,1)",
    "Intraclass correlation: the share of the scores\u2019 variance that comes from the answers and not from the people or from noise. Up to 1. Source: Shrout and Fleiss 1979.",
    {
      also: ["icc"],
    },
  ),
  figure(
    "equal-pairs",
    "equal pairs of labels",
    "Of all pairs of labels that two people gave to one answer, the share that are equal. 0 to 1.",
    {
      also: ["people with each other"],
      note: "It is high by chance where one label is frequent.",
    },
  ),
  figure("judge-mean", "mean of the judge", "The judge\u2019s mean score of the answers that people labelled, too."),
  figure("human-mean", "mean of the people", "The people\u2019s mean score of the same answers."),
  figure(
    "corrected-mean",
    "mean of the judge, corrected by the people",
    "The judge\u2019s mean over all its answers plus the people\u2019s minus the judge\u2019s mean on the labelled ones (prediction-powered inference, Angelopoulos et al. 2023): what people would have given to all.",
    {
      note: "It is right even where the judge is not, if the labelled answers were drawn at random.",
    },
  ),
  word(
    "judge-confusion",
    "people say (down), judge says (across)",
    "How often the judge gave which score to answers of which label. What lies beside the diagonal is disagreement, and shows its direction.",
  ),
  figure(
    "correlations",
    "correlations",
    "How the judge\u2019s scores go with the people\u2019s: Pearson, Spearman and Kendall.",
    { also: ["mean within groups"] },
  ),
  figure(
    "between-groups",
    "of the groups\u2019 means",
    "The correlations of the mean scores of the groups (systems, say): whether the judge ranks them as people do.",
    {
      note: "A judge may rank systems rightly and single answers poorly: within groups is the harder test.",
    },
  ),
  figure("judge-against", "judge against", "The judge beside each person by itself: agreement and kappa."),
  word(
    "disputes",
    "answers on which people differ",
    "Answers that people labelled differently: read them first, mostly the rubric is unclear there.",
  ),
  word("labels", "labels", "What people said of an answer, with who said it."),
  word("last-word", "last word", "The label that somebody gave after the others had differed."),
]
