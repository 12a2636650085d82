import { part, type Term, word } from "./term.ts"

/** Parts of a report's page. */
export const pageTerms: readonly Term[] = [
  part(
    "section-variants",
    "Variants",
    "One row per variant with all figures that matter for a choice; click a heading to sort. \u25b2 is the baseline, \u25cb is dominated.",
    {
      place: "section",
    },
  ),
  part(
    "every-metric",
    "Quality, every metric",
    "All metrics of the run, those that do not decide too. A value is the mean over the scored answers, or what the metric\u2019s own page says.",
  ),
  part(
    "section-frontier",
    "Frontier",
    "Quality against cost or speed: what lies on the line is beaten by no other variant in both. Choose the axes above the picture.",
    {
      place: "section",
    },
  ),
  part(
    "frontier-chance",
    "probability, these axes",
    "How often the variant is on the frontier of the two axes that are shown, in 400 draws from the intervals, each figure drawn by itself. 0 to 100 %.",
    {
      note: "The best of several is partly luck: in simulations a share above one half was up to 10 points too high.",
    },
  ),
  part(
    "frontier-membership",
    "probability, all axes",
    "How often the variant is on the frontier of all axes of the run when the samples are drawn anew (a bootstrap): quality, speed and cost of the same draw together. 0 to 100 %.",
  ),
  part(
    "section-pair",
    "Head to head",
    "Two variants face to face, sample by sample: differences with their intervals, what flipped, times and costs.",
    {
      place: "section",
    },
  ),
  part(
    "section-slices",
    "Slices",
    "The same comparison for parts of the samples: where the swap helps and where it harms.",
    { place: "section", also: ["slices of the samples"] },
  ),
  part(
    "what-broke",
    "What broke",
    "What went wrong with a candidate and not with the baseline: failures, slices, words of the inputs, with samples to read.",
  ),
  part(
    "diagnostics",
    "Diagnostics",
    "What makes the figures believable or not, a sentence each. The report\u2019s page shows the tables behind them.",
    { also: ["in the report"] },
  ),
  part("what-failed", "What failed", "Checks of the run and limits of the gate that were not kept."),
  part(
    "other-section",
    "Other section",
    "A section that evalkit has no page about: a metric of the run\u2019s config made it, or a later version of evalkit. Its data stand as they were saved.",
    { place: "section" },
  ),
  part(
    "section-levels",
    "Levels",
    "One setting turned step by step: what each step gives in quality and takes in time and money. The knee is the cheapest step that is not worse than the best.",
    {
      place: "section",
      also: ["* by effort", "* by temperature"],
    },
  ),
  part(
    "section-quantization",
    "Quantization",
    "The same model in other number formats: what changes in its answers, and what a correct answer takes.",
    {
      place: "section",
    },
  ),
  part(
    "section-trust",
    "Trust",
    "What makes the figures believable or not. Questions with a doubt stand first and are open.",
    { place: "section" },
  ),
  part(
    "section-samples",
    "Samples",
    "The single answers behind every figure: filter, search, read two side by side. \u2713 is right, \u2717 is wrong, \u2013 has no score.",
    {
      place: "section",
    },
  ),
  part(
    "section-method",
    "Method and limits",
    "How the figures came about: data, seed, versions, prices, checks, what is unknown and why.",
    { place: "section" },
  ),
  part(
    "checks",
    "Checks",
    "What the run tested of itself. Passed: nothing speaks against the figures. Failed: the message says which figures are in doubt. Unknown: it could not be tested.",
  ),
  part(
    "metrics",
    "Metrics",
    "The rules by which answers were scored; \u201cdecides\u201d marks those that the verdict is read from.",
  ),
  part(
    "unknown-figures",
    "Unknown figures, with reasons",
    "What could not be measured in this run, and why. None of it was counted as 0.",
  ),
  part(
    "notes",
    "Notes",
    "What the run had to say of single variants: how they were run, and what their figures therefore hold.",
  ),
  part(
    "flips-table",
    "candidate right",
    "Answers by right and wrong of both variants. Those that the candidate lost and won are the flips; the others did not change.",
    { also: ["candidate wrong", "baseline right", "baseline wrong"] },
  ),
  part(
    "failures-by-reason",
    "what happened",
    "How a request failed, by class, beside the words of the service at the first time.",
    {
      also: ["in its own words"],
    },
  ),
  word("broke-kind", "kind", "What went wrong: a failure, a slice that lost, words of the input, a stage."),
  word("broke-what", "what", "Which failure, slice or words."),
  word(
    "broke-evidence",
    "evidence",
    "Counts and the test that speak for it; p is adjusted for everything that was looked at.",
  ),
  word("broke-samples", "samples, for example", "Ids of samples to read."),
]
