/** Why a figure of a judge is unknown. */
export const noJudgeFigure = {
  manyScores: (max: number) => `more than ${max} different scores are no categories; see alpha`,
  unknownCost: (unknown: number, verdicts: string) =>
    `what ${unknown} of ${verdicts} cost is not known: the judge has no price, or its service counted no tokens`,
  manyRows: (max: number) => `more than ${max} labelled rows take too long`,
  noMajority: "no judged answer has a majority of two or more labels",
  onePerson: "only one person labelled",
  fewByAll: "fewer than two answers were labelled by everybody",
  noCategories: "the verdicts are no categories",
  alone: "no other judge scored the same answers",
  noTruth: "no metric was named as the truth",
  noLabels: "these answers have no human labels",
  notAsked: "the judge was not asked",
  noComparisons: "the judge makes no comparisons",
  noBothOrders: "no comparison has a verdict in both orders",
  equalLengths: "all answers are equally long",
  lengthIsQuality: "length and quality cannot be separated",
  qualityNotConstant: "no other judge scored these answers: quality is not held constant",
  oneOrder: 'the verdicts were listed in one order; rubric({ listing: "both" }) asks in both',
  noSharedLabels: "no answer has labels of both",
  noLabelledAnswer: "no judged answer has its label",
  noTwoPeople: "no answer has labels of two people",
  oneScore: "only one score occurs, so that chance explains all agreement",
  askedOnce: "each verdict was asked for once; set repeats to measure the noise",
  notRepeated: "no verdict was repeated",
  noCandidate: "the judge is not among the candidates",
  allOwn: "all answers are of the judge's own model, or none is",
  fewGroups: "fewer than three groups have labelled rows",
  equalMeans: "the groups' means of one side do not vary",
  noPair: "no row has both a verdict and a label",
  noVaryingGroup: "in no group do both sides vary",
  equalScores: "the scores of one side do not vary",
  noneByChance: "no answer that was drawn by chance has one",
  noPairByChance: "no answer that was drawn by chance has both a verdict and a label",
  otherRows:
    "the judge's scores of labelled and other rows differ more than chance explains: say how the labels were drawn with --drawn or --probability",
  oneVerdict: "only one verdict occurs, so that chance explains all agreement",
  oneRating: "only one rating occurs, so that chance explains all of it",
  noTwoVerdicts: "no answer has two verdicts",
} as const

/** How a figure of a judge was found. */
export const judgeMethods = {
  posterior: (n: number, seed: string) => `posterior interval with Jeffreys' prior over ${n} items, seed ${seed}`,
  rareAnswer: (min: number) => `no interval: the rarer answer was given fewer than ${min} times`,
  lengthRegression: (how: string) => `linear regression on length, ${how}; robust errors, clustered by sample`,
  rareScore: (name: string, min: number) => `${name}, no interval: the rarer score was given fewer than ${min} times`,
  equalPairs: (method: string) => `share of equal pairs of labels, ${method}`,
  groupMeans: (name: string) => `${name} of the groups' means`,
  predictionPowered: (counts: string) => `prediction-powered mean: ${counts} (Angelopoulos et al. 2023)`,
  predictionPoweredWeighted: (counts: string) =>
    `prediction-powered mean: ${counts}, each weighted by one over its probability (Zrnic & Candès 2024)`,
  weightedLabels: (labels: string) => `mean of ${labels}, each weighted by one over its probability`,
  alphaOfAll: (level: string) => `Krippendorff's alpha of all judges, ${level}`,
  asked: "answers that the judge was asked about",
  notControlled: "not controlled for quality",
  controlledByOne: "quality held constant by the other judge",
  controlledByHalves: "quality held constant by the other judges, one half as instrument of the other",
  withinAnswers: "pooled standard deviation within answers",
  excess: "excess over the other judges on its own model's answers, robust errors clustered by sample",
  priced: "priced usage of the calls, repairs and repeats included",
  toLastByte: "time from sending a request to its last byte, as measured when it was made",
  gwet: "Gwet's AC2, quadratic weights",
  kendall: "Kendall's tau-b, interval by Fisher's z",
  differing: "answers on which not all judges chose the same",
} as const

/** What is said of judges and people together. */
export const judgeWords = {
  dropped: (judge: string, trust: string, threshold: string) =>
    `${judge} was dropped and not asked: its agreement with people is ${trust}, under the threshold of ${threshold}.`,
  settled: (answers: string) => `; ${answers} of them have a last word, which counts`,
  peopleDiffer: (people: string, disputed: string, answers: string, worth: string, settled: string) =>
    `${people} people differ on ${disputed} of ${answers} that two or more of them labelled${worth}${settled}.`,
  corrected: (
    variant: string,
    judged: string,
    verdicts: string,
    labels: string,
    value: string,
    low: string,
    high: string,
  ) =>
    `${variant}: ${judged} by its ${verdicts}; corrected by ${labels} of people, ${value} (between ${low} and ${high}).`,
} as const

/** Figures of a judge by the names under which reports keep and show them. */
export const judgeFigures = {
  panelAgreement: "agreement with the panel",
  panelKappa: "kappa with the panel",
  panelAlpha: "alpha with the panel",
  truthAgreement: "agreement with the truth",
  truthKappa: "kappa with the truth",
  differing: "answers on which they differ",
} as const
