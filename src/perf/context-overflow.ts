import type { Failure } from "../core/generation.ts"

/**
 * Whether an endpoint refused a request because prompt and answer would not fit into the model's context window. By the
 * error's code where there is one (`context_length_exceeded` of OpenAI, Groq, OpenRouter and `evalkit serve`,
 * `exceed_context_size_error` of llama.cpp), else by the words in which servers say it.
 *
 * @example isContextOverflow({ message: "prompt is too long: 201234 tokens > 200000 maximum" }) // true
 */
export function isContextOverflow(failure: Failure | null): boolean {
  if (!failure) return false
  return codes.has(failure.code ?? "") || wordings.some((wording) => wording.test(failure.message))
}

const codes = new Set(["context_length_exceeded", "exceed_context_size_error"])

const wordings = [
  // OpenAI, vLLM, SGLang, Groq: "This model's maximum context length is 4096 tokens. However, …"; Mistral: "… too large for
  // model with 32768 maximum context length"; xAI: "This model's maximum prompt length is 131072 but …"
  /\bmaximum (?:context|prompt) length\b/i,
  // llama.cpp: "the request exceeds the available context size", with and without its numbers
  /\bexceeds? the (?:available )?context (?:size|length|window|limit)\b/i,
  // Anthropic: "prompt is too long: 201234 tokens > 200000 maximum"; Bedrock: "Input is too long for requested model"
  /\b(?:prompt|input) is too long\b/i,
  // Gemini: "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."
  /\binput token count\b.{0,40}\bexceeds the maximum\b/i,
  // TGI: "`inputs` tokens + `max_new_tokens` must be <= 4096"
  /\binputs` tokens \+ `max_new_tokens` must be/i,
]
