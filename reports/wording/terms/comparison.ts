import { figure, part, type Term, word } from "./term.ts"

/** Tables of comparisons and of slices. */
export const comparisonTerms: readonly Term[] = [
  part(
    "differences",
    "Differences, candidate minus baseline",
    "Each metric\u2019s difference over the pairs, with its interval; what is better lies on the right, whichever direction the metric has. Metrics of one kind share a scale.",
  ),
  figure(
    "difference",
    "difference",
    "Candidate minus baseline, the mean over the pairs. Points are hundredths of a rate: from 80 % to 77 % is \u22123 points.",
    {
      also: ["mean difference", "b \u2212 a"],
    },
  ),
  figure(
    "change",
    "change",
    "After minus before, in the unit beside it. In slices: candidate minus baseline over the pairs of the slice. Of a changed input: the score with the change minus the score without it.",
    { also: ["change of *"] },
  ),
  figure("right-to-wrong", "right to wrong", "Samples that the baseline answered rightly and the candidate does not.", {
    also: ["right \u2192 wrong"],
    note: "Any metric counts: a score that went down is a loss.",
  }),
  figure(
    "wrong-to-right",
    "wrong to right",
    "Samples that the baseline answered wrongly and the candidate answers rightly.",
    {
      also: ["wrong \u2192 right"],
      note: "Any metric counts: a score that went up is a gain.",
    },
  ),
  word("sides", "A and B", "A is the baseline, B the candidate: below the letter stands what a metric gives of each.", {
    also: ["a", "b"],
  }),
  figure("flips", "flips", "Answers that went from right to wrong, and from wrong to right.", {
    note: "Accuracy can stay while many answers change.",
  }),
  figure(
    "needed-samples",
    "samples needed to decide",
    "How many samples would settle an open verdict with 80 % probability, if the difference is about what this run found: more of this run where it may be extended, else a new run of as many. \u201cSettled\u201d: none.",
    { note: "It is a forecast: where the true difference lies close to the margin, no number is enough." },
  ),
  figure(
    "deciding-bound",
    "bound that decides",
    "One end of a one-sided interval of the difference: the loss is at most this much, at the run\u2019s alpha. It is compared with the margin.",
    {
      note: "It holds for any distribution, and may therefore lie outside of the two-sided interval beside it.",
      also: ["bound"],
    },
  ),
  figure(
    "smallest-detectable",
    "smallest detectable",
    "The smallest true difference that this many pairs would find with 80 % probability. Smaller ones may be there and not be seen.",
  ),
  figure(
    "missing",
    "missing",
    "Samples with a score on one side only. A failed answer counts with the worst value, so that failing does not help.",
  ),
  word(
    "slice-moved",
    "moved",
    "Whether the slice became better or worse beyond chance, with all slices tested together.",
    { also: ["worse"] },
  ),
  figure(
    "slice-candidate",
    "variant\u2019s",
    "The candidate\u2019s mean over the pairs of the slice; the baseline\u2019s stands in the column before it.",
  ),
  part(
    "by-context-length",
    "By the length of the context",
    "Quality, time to first token and cost against how many tokens the prompt had.",
    {
      also: ["tokens of the context", "context tokens"],
    },
  ),
  word("prompt-length", "prompt length", "Slices by the length of the prompt in characters."),
  word(
    "answer-length",
    "answer length",
    "Slices by the length of the baseline\u2019s answer in its own tokens. A variant\u2019s own length would be a consequence of the variant.",
  ),
  word(
    "difficulty",
    "difficulty",
    "Slices by how hard earlier runs found a sample: the share of their variants that had it right, or their mean score.",
  ),
  word("script", "script of the prompt", "Slices by the writing system of the prompt: Latin, Cyrillic, Han \u2026"),
  figure(
    "level-tokens",
    "tokens per answer",
    "Tokens that the provider counts for an answer, hidden thinking included. Mean.",
    {
      also: ["tokens"],
      place: "levels",
    },
  ),
  figure(
    "knee-in-draws",
    "knee in draws",
    "In how many per cent of draws of the samples the rule chooses this level: close to 100 % the choice does not hang on single samples. The knee is the cheapest level that is not worse than the best by more than the margin.",
    { also: ["knee", "looks best"] },
  ),
  word("effort", "effort", "How long a model is told to think before it answers."),
  word("temperature", "temperature", "How much chance is in the choice of the next token; 0 takes the likeliest."),
  figure(
    "quality",
    "quality",
    "The metric that decides. In a table of quantizations: its difference against the reference, in points for rates.",
  ),
  part(
    "section-noise-floor",
    "Noise floor: the baseline against itself",
    "What one variant differs from itself by, in a run with --aa: a difference of another variant that is no larger says nothing.",
    { also: ["noise floor"] },
  ),
  figure(
    "swaps-to-itself",
    "swaps to itself",
    "How often the rule of the run would have granted a swap to the same model, over draws of which answers bear which name.",
  ),
]
