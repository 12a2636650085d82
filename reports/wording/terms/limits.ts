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
  word("limit-open", "open", "The figure\u2019s interval holds the limit: on this evidence it may be kept or broken.", {
    note: "More samples make the interval narrower.",
  }),
]
