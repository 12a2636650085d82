import { figure, part, type Term, word } from "./term.ts"

/** What is known of judges. */
export const judgeTerms: readonly Term[] = [
  part(
    "section-judges",
    "Judges",
    "Whether the judges can be believed: how they agree with people, with each other and with themselves, and what moves them that should not.",
    {
      also: ["judge card", "the judge behind *", "the judges behind *"],
    },
  ),
  figure("verdicts", "verdicts", "Answers that the judge was asked about."),
  figure(
    "judge-unscored",
    "unscored (of a judge)",
    "Answers from which no score of the judge could be read. 0 to 100 %.",
    { also: ["unscored"], place: "judge_card" },
  ),
  figure(
    "repaired",
    "repaired",
    "Replies that the judge had to give again, because no score could be read from them. 0 to 100 %.",
  ),
  figure(
    "position-flips",
    "position flips",
    "Comparisons in which the judge chooses otherwise when the two answers change places. 0 to 100 %, lower is better.",
  ),
  figure(
    "first-place-advantage",
    "first-place advantage",
    "How much more often an answer wins when it is shown first: (wins when first − wins when second) / 2. 0 is fair, ±50 % is the most.",
  ),
  figure(
    "list-order-flips",
    "list order flips",
    "Verdicts that change when the rubric\u2019s list of choices is turned round. 0 to 100 %, lower is better.",
  ),
  figure(
    "list-order-effect",
    "list order effect",
    "Score with the best choice listed first minus the score with it last. Above 0: what is listed first is favoured.",
  ),
  figure(
    "length-slope",
    "length slope",
    "What 100 more characters add to the judge\u2019s score at equal quality, with the other judges as the measure of quality. 0: it does not care for length.",
    { also: ["length slope per * characters"] },
  ),
  figure(
    "repeat-noise",
    "repeat noise",
    "Standard deviation of the judge\u2019s scores of one and the same answer. 0: it says the same again.",
  ),
  figure(
    "self-preference",
    "self-preference",
    "What the judge adds to answers of its own model: its score minus the others\u2019 mean on those, less the same on all other answers. 0 is fair.",
  ),
  figure("agreement", "agreement", "Answers on which both say the same. 0 to 100 %.", {
    note: "Where nearly all answers are good, agreement is high by chance: read kappa beside it.",
    also: [
      "agreement (share of equal scores)",
      "agreement with the panel",
      "agreement with the truth",
      "agreement with people",
      "agreement with humans",
    ],
  }),
  figure(
    "kappa",
    "kappa",
    "Agreement beyond chance: (agreement − agreement by chance) / (1 − agreement by chance). 1 is full, 0 is chance, below 0 is worse (Cohen).",
    { also: ["kappa with the panel", "kappa with the truth", "kappa with people", "cohen's kappa"] },
  ),
  figure(
    "alpha-agreement",
    "Krippendorff\u2019s alpha",
    "Agreement beyond chance of any number of judges, gaps allowed; on ordered scores a near miss counts less than a far one. 1 is full, 0 is chance.",
    {
      also: ["alpha with the panel", "alpha with people", "krippendorff's alpha"],
    },
  ),
  figure(
    "judge-cost",
    "cost per 1,000 verdicts",
    "US dollars for 1,000 verdicts by the judge\u2019s price, calls that had to be repeated included.",
  ),
  figure("judge-time", "time per 1,000 verdicts", "Seconds for 1,000 verdicts, one after the other."),
  part(
    "section-win-rate",
    "Win rates",
    "How often answers are preferred to the baseline\u2019s by a judge that compares the two.",
    { also: ["win rates of *"] },
  ),
  figure(
    "win-first",
    "shown first only",
    "Win rate from one order alone, a tie counting half. 0 to 100 %; it holds the judge\u2019s liking for a place.",
    { also: ["raw win rate"] },
  ),
  figure(
    "win-both",
    "both orders",
    "Win rate over both orders: a pair is won only where both say so, else it counts half. 0 to 100 %.",
    { also: ["win rate"] },
  ),
  figure(
    "win-length",
    "at equal length",
    "Win rate as if both answers were equally long, from a regression on the difference of their lengths. 0 to 100 %.",
  ),
  figure(
    "contradicting",
    "contradicting orders",
    "Pairs on which the judge contradicts itself when the answers change places.",
  ),
  figure("panel-differs", "answers on which they differ", "Answers on which not all judges choose the same."),
  word("panel", "panel", "Several judges of one answer, whose scores are put together."),
]
