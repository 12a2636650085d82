import type { SectionKind } from "../../src/core/report/report-sections.ts"

/** What a reader asks whom a section answers, by its kind; absent where the section's own title says it. */
export const questions: Partial<Readonly<Record<SectionKind, string>>> = {
  calibration: "Is it as often right as it is sure?",
  divergence: "How far do the answers differ from the baseline\u2019s?",
  judge_card: "Can the judge be believed?",
  robustness: "Does it stand small changes of the question?",
  fairness: "Is it equally good for all groups?",
  hallucination: "Does it claim what nothing supports?",
  load: "How much load does it take?",
  context_window: "Did everything fit into the context window?",
  bias: "Does it treat people differently?",
  citations: "Do its citations support what it says?",
  confusion: "Which classes does it take for which?",
  early_stopping: "Was the run long enough?",
  perplexity: "How well does it predict the texts?",
  safety: "Does it refuse what it should, and only that?",
  tokens: "Are tokens of different models comparable?",
  unread_answers: "Which answers could not be read?",
  win_rate: "Which answers are preferred?",
}
