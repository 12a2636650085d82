import { z } from "zod"

/**
 * Fields that OpenAI's API and other servers know, and that would change the answer: of what is not served only the value that changes nothing is
 * accepted, so that nobody takes an answer for one that was made in another way. What changes no answer (`user`, `metadata`, `store`,
 * `service_tier`, `prompt_cache_key` …) and what no server knows is not looked at.
 */

const notServed = "this parameter is not served"

/** A field of which only the values that change nothing are served. */
function neutral<Value extends string | number | boolean>(value: Value | readonly Value[], message = notServed) {
  return z.literal(Array.isArray(value) ? value : [value as Value], message).nullish()
}

/** A list of which only the empty one changes nothing. */
function noneOf(message = notServed) {
  return z.array(z.unknown(), message).max(0, message).nullish()
}

/** Names and values of which only none change nothing. */
function noFields(message = notServed) {
  return z
    .record(z.string(), z.unknown())
    .refine((fields) => Object.keys(fields).length === 0, message)
    .nullish()
}

function onlyNull(message = notServed) {
  return z.null(message).optional()
}

const format = "it is not served: send response_format"

/** Of all requests for texts: how tokens are chosen, in the words of OpenAI, of llama.cpp's server and of vLLM. */
export const unservedSampling = {
  n: neutral(1, "one answer is made: send as many requests"),
  top_k: neutral([-1, 0]),
  min_p: neutral(0),
  frequency_penalty: neutral(0),
  presence_penalty: neutral(0),
  repeat_penalty: neutral(1),
  repetition_penalty: neutral(1),
  length_penalty: neutral(1),
  logit_bias: noFields(),
  typical_p: neutral(1),
  mirostat: neutral(0),
  dry_multiplier: neutral(0),
  xtc_probability: neutral(0),
  top_n_sigma: neutral([-1, 0]),
  dynatemp_range: neutral(0),
  use_beam_search: neutral(false),
  samplers: onlyNull(),
  logits_processors: noneOf(),
  lora: noneOf("no adapters are served"),
  stop_token_ids: noneOf("it is not served: send texts as stop"),
  bad_words: noneOf(),
  allowed_token_ids: noneOf(),
  include_stop_str_in_output: neutral(false),
  skip_special_tokens: neutral(true),
  truncate_prompt_tokens: onlyNull(),
  t_max_predict_ms: neutral(0),
  n_indent: neutral(0),
  grammar: neutral("", format),
  guided_grammar: neutral("", format),
  guided_json: onlyNull(format),
  guided_regex: onlyNull(format),
  guided_choice: onlyNull(format),
  structured_outputs: noFields(format),
  cache_prompt: neutral(false, "it is not served: each prompt is read whole"),
  prompt_logprobs: onlyNull("it is not served: send echo with logprobs"),
  json_schema: onlyNull(format),
  n_predict: neutral(-1, "it is not served: send max_tokens"),
  n_probs: neutral(0, "it is not served: send logprobs"),
}

/** Of chat requests. */
export const unservedInChat = {
  functions: noneOf("it is OpenAI's older field: send tools"),
  function_call: neutral(["none", "auto"], "it is OpenAI's older field: send tool_choice"),
  modalities: z.array(z.literal("text", "texts are written, nothing else")).nullish(),
  audio: onlyNull("texts are written, nothing else"),
  web_search_options: onlyNull("nothing is searched for"),
  moderation: onlyNull("nothing is moderated"),
  verbosity: neutral("medium", "the length of answers cannot be set: use max_tokens"),
  chat_template: onlyNull("the model's own template is used"),
}

/** Of requests of `/v1/completions`. */
export const unservedInCompletions = {
  best_of: neutral(1),
  suffix: neutral(""),
  parse_special: neutral(false, "it is not served: send token numbers as prompt"),
  response_format: z.object({ type: z.literal("text", "formats are served of chat requests") }).nullish(),
}
