/**
 * Why an answer has no score: every code, and what it means. The code is what programs decide by; the sentence beside it is
 * for people. A metric with a new reason adds its code here; metrics of users have `custom`.
 * @experimental
 */
export const unscoredCodes = {
  // The call
  failed: "the request brought no answer",
  user_failed: "the model that plays the user failed",
  no_output: "a foreign row has no output",
  not_yet: "other answers are awaited; measured again when the run continues",
  not_drawn: "the sample is not in the part that is judged",
  other_condition: "the sample belongs to another condition than the metric measures",
  other_kind: "the prompt is of the other kind (harmful, harmless) than the metric measures",
  same_variant: "an answer is not compared with itself",
  other_answer_missing: "the variant to compare with has no answer to the sample",
  given_text: "the text was given to the model, not written by it",
  own_answer: "the text was written by the model, not given to it",
  stored: "what was stored before is read, not measured",

  // What the sample lacks
  no_reference: "no reference to compare with",
  short_reference: "the reference is shorter than what is compared",
  no_context: "no passages",
  no_input: "no question",
  no_choice: "no reference names one of the choices",
  no_number: "no reference has a number",
  not_one_number: "not one number: neither the reference nor the answer is one, nor a list of them",
  no_entity: "the reference has no name, number or date",
  no_label: "no true class",
  no_group: "no group",
  no_target: "not exactly one answer is of a stereotyped group",
  not_a_pair: "the sample is no text of a stereotype pair",
  not_bbq: "the row is no BBQ item",
  no_canary: "no canary in the metadata",
  no_key_facts: "no key facts",
  no_harmful_flag: "the metadata does not say whether the prompt is harmful",
  no_retrieved_ids: "no ids of retrieved passages",
  no_relevant_ids: "no ids of relevant passages",
  no_expected_tools: "no expected tool calls",
  no_expected_steps: "no expected number of steps",
  no_episode: "the answer is no conversation and no loop over tools",
  no_state: "the episode left no state",
  no_tool_calls: "no tool was called, or none gave a result",
  no_tool_error: "no call of a tool failed",
  no_value: "a column or another metric has no value for the answer",
  not_a_number: "a column holds no number",

  // What the answer or its endpoint lacks
  empty_output: "the answer is empty, or too short for the metric",
  no_sentence: "the answer has no word to compare",
  abstained: "the answer says that it does not know",
  cut_short: "the answer's token limit ended it before what is compared",
  language: "the metric cannot measure a text in this language or script",
  unread: "nothing that counts as an answer can be read from the text",
  no_confidence: "neither a stated confidence nor token log-probabilities",
  no_correctness: "it is not known whether the answer is right",
  no_logprobs: "no log-probabilities",
  no_alternatives: "no alternatives beside the chosen tokens",
  no_distribution: "no option's letter among the tokens and their alternatives",
  no_repeats: "no other answer to the same sample",
  too_many_repeats: "more answers to one sample than the metric compares",
  no_similarity: "the similarity that the metric is computed from has no value",

  // What a model or a check was needed for
  no_detector: "no detector could assess the answer",
  no_embedder: "no embedder",
  no_token_embeddings: "the embedder gives vectors of whole texts only",
  missing_package: "an optional package is not installed",
  model_unavailable: "a model that the metric needs is not available",
  no_toxic_label: "the classifier has none of the wanted labels",
  no_such_category: "the moderation endpoint has no such category",
  moderation_failed: "the moderation endpoint gave no verdict",
  claims_failed: "the model that finds claims gave no answer",
  no_claims: "the model found no claim to check",
  claims_unparseable: "the model's list of claims cannot be read",
  regex_timeout: "the pattern took too long",
  check_failed: "the check of the task failed",

  // Judges
  judge_failed: "the judge's endpoint gave no answer",
  judge_refused: "the judge refused",
  judge_unparseable: "the judge's reply cannot be read",
  nothing_to_compare_with: "a judge of pairs has no other answer to show",
  compared_with_itself: "a judge of pairs would see the same answer twice",
  no_checklist: "the sample has no questions to check",
  judge_abstained: "the judge said that it cannot decide",
  panel_empty: "every judge of the panel was dropped",
  panel_quorum: "too few judges of the panel gave a score",

  // The metric itself
  metric_failed: "the metric ended with an error",
  metric_timeout: "the metric gave no result in time",
  metric_value: "the metric gave no finite number within its range",

  custom: "a reason of a user's own metric",
} as const

/** A code of {@link unscoredCodes}. @experimental */
export type UnscoredCode = keyof typeof unscoredCodes

/** Whether a text is one of the codes. @experimental */
export function isUnscoredCode(text: string): text is UnscoredCode {
  return Object.hasOwn(unscoredCodes, text)
}

/** A code as a store or an archive holds it: `custom` for what is none of evalkit's own. @experimental */
export function readUnscoredCode(text: unknown): UnscoredCode {
  return typeof text === "string" && isUnscoredCode(text) ? text : "custom"
}

/** Codes that say what a row lacks: a file of which every row lacks it is a mistake of whoever wrote it. */
export const lackingCodes: ReadonlySet<UnscoredCode> = new Set<UnscoredCode>([
  "no_output",
  "no_reference",
  "no_context",
  "no_input",
  "no_choice",
  "no_number",
  "no_entity",
  "no_label",
  "no_group",
  "no_target",
  "no_canary",
  "no_value",
  "no_sentence",
  "no_confidence",
  "no_correctness",
  "no_logprobs",
  "no_alternatives",
  "no_distribution",
  "no_repeats",
  "no_similarity",
  "no_detector",
  "no_embedder",
])
