import { type UnscoredCode, unscoredCodes } from "../../../src/core/metric/unscored-code.ts"
import type { Term } from "./term.ts"

const usual = "In a comparison it counts as the worst value, unless the config says missing: \u201cdrop\u201d."

/** What to do where a code says what is lacking. */
const notes: Readonly<Partial<Record<UnscoredCode, string>>> = {
  no_reference:
    "Give the samples a reference (evalkit show RUN SAMPLE shows what they have), or take a metric that needs none.",
  no_context: "The metric reads passages: give them as context in the data set, or return them from your application.",
  no_logprobs:
    "Ask the endpoint for token probabilities (parameters.logprobs), or take a variant that gives them: many hosted models do not.",
  no_confidence: "Ask for token probabilities, or let the model state a confidence that a metric can read.",
  no_repeats:
    "The metric compares several answers to one sample: set repeats in the config, and a temperature above 0.",
  no_retrieved_ids: "Return retrievedIds beside the answer, or keep them in the sample\u2019s metadata.",
  no_relevant_ids: "Say in the data set which passages are the right ones: relevantIds.",
  missing_package: "evalkit add semantic, local or png installs it; the message says which.",
  judge_unparseable: "Look at what the judge wrote: evalkit show RUN SAMPLE. A larger judge or a shorter rubric helps.",
  user_failed: "It says nothing of the variant: the sample counts as if it had not been asked.",
  not_drawn: "Judging a part of the answers was asked for; nothing is wrong with this one.",
  not_yet: "It is measured when the run goes on: evalkit run --resume.",
}

/** Why an answer has no score, a term for each code: what `evalkit explain no_reference` prints. */
export const unscoredTerms: readonly Term[] = Object.entries(unscoredCodes).map(([code, meaning]) => ({
  id: `unscored-${code}`,
  title: code,
  kind: "reason",
  place: "unscored",
  text: `An answer has no score: ${meaning}. It is never counted as 0; tables say how many answers a figure is computed from.`,
  note: notes[code as UnscoredCode] ?? usual,
  also: [...new Set([code, meaning])],
}))
