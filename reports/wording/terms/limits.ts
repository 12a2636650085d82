import { type Term, word } from "./term.ts"

/** How a limit of the config or of a gate ended. */
export const limitTerms: readonly Term[] = [
  word(
    "limit-kept",
    "kept",
    "The variant keeps the limit: the whole interval of the figure lies on the good side of it.",
    { note: "A figure without an interval is compared as it is." },
  ),
  word(
    "limit-broken",
    "broken",
    "The variant breaks the limit: the whole interval of the figure lies on the bad side of it. A swap is not possible then.",
    { also: ["violated", "gate failed"] },
  ),
  word(
    "critical-samples",
    "critical samples",
    "Samples that must not break: none may go from right (the best value of every deciding metric, in all repeats) with the baseline to wrong with a candidate. An exact count: one that breaks keeps the baseline, whatever the mean says. An answer that failed is wrong.",
    {
      also: ["critical", "criticalbreaks", "samples that must not break", "must not break"],
      note: 'They are marked by a column critical: true of the data set or by critical of the config; the gate counts them as { figure: "criticalBreaks", max: 0 }. Beside it stands the share of samples like them that is right at least, by the exact one-sided 95 % bound of Clopper and Pearson: 20 of 20 right are at least 86 %.',
    },
  ),
  word("limit-open", "open", "The figure\u2019s interval holds the limit: on this evidence it may be kept or broken.", {
    note: "More samples make the interval narrower.",
  }),
]
