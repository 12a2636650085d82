import type { LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from "node-llama-cpp"
import { ApiError } from "./api-error.ts"
import type { Ending, GenerateOptions } from "./generate.ts"
import type { LoadedModel } from "./load-model.ts"
import type { ChatBody, CompletionBody } from "./request-body.ts"

/** What is needed to answer any request. */
export interface Served {
  readonly loaded: LoadedModel
  readonly signal: AbortSignal
  /** `chatcmpl-…` or `cmpl-…`. */
  readonly id: string
  /** Unix seconds. */
  readonly created: number
}

/** What all kinds of completion need to answer a request. */
export interface Serving extends Served {
  readonly sequence: LlamaContextSequence
}

/** Throws 400 when the prompt leaves no room for a single token of answer, and when it names tokens that the model does not have. */
export function checkLength(
  loaded: LoadedModel,
  tokens: readonly Token[],
  room: 0 | 1,
  param: "messages" | "prompt" | "input" | "tokens",
): void {
  if (tokens.length === 0) throw new ApiError(400, "the prompt is empty", { param, code: "empty_prompt" })
  const size = loaded.model.fileInfo.metadata.tokenizer.ggml.tokens.length
  const strange = tokens.find((token) => token >= size)
  if (strange !== undefined)
    throw new ApiError(400, `there is no token ${strange}: this model has ${size}`, { param, code: "invalid_value" })
  if (tokens.length + room <= loaded.contextSize) return
  const message = `this model's maximum context length is ${loaded.contextSize} tokens; the prompt has ${tokens.length}`
  throw new ApiError(400, message, { param, code: "context_length_exceeded" })
}

/**
 * Throws 400 for a text that the context cannot hold however its tokens fall: it is not even tokenised, which takes a microsecond a character and more
 * while nobody else is served.
 *
 * @param length characters of the text
 */
export function checkCharacters(
  { model, contextSize }: LoadedModel,
  length: number,
  param: "messages" | "prompt" | "input",
): void {
  const max = contextSize * longestPiece(model)
  if (length <= max) return
  const message = `this model's maximum context length is ${contextSize} tokens, ${max} characters at most; the prompt has ${length}`
  throw new ApiError(400, message, { param, code: "context_length_exceeded" })
}

const longestPieces = new WeakMap<LlamaModel, number>()

/** Characters that one token stands for, at most. Other kinds of vocabularies than these two may leave characters out. */
function longestPiece(model: LlamaModel): number {
  const existing = longestPieces.get(model)
  if (existing !== undefined) return existing
  const { model: kind, tokens } = model.fileInfo.metadata.tokenizer.ggml
  const longest = tokens.reduce((max, { length }) => Math.max(max, length), 1)
  const result = kind === "gpt2" || kind === "llama" ? longest : Number.POSITIVE_INFINITY
  longestPieces.set(model, result)
  return result
}

/** The sampling options that both kinds of request share. A missing temperature is 1, as at OpenAI. */
export function samplingOptions(
  body: Pick<CompletionBody, "ignore_eos" | "min_tokens" | "temperature" | "top_p" | "seed">,
): Pick<GenerateOptions, "minTokens" | "temperature" | "topP" | "seed"> {
  return {
    minTokens: body.ignore_eos === true ? Number.POSITIVE_INFINITY : (body.min_tokens ?? 0),
    temperature: body.temperature ?? 1,
    topP: body.top_p ?? 1,
    seed: body.seed ?? Math.floor(Math.random() * 2 ** 31),
  }
}

/** What a grammar of the binding puts behind a value of JSON: the value is whole there, and this is no part of it. */
export const endOfValue = "\n\n\n\n"

/** The grammar of a response format; null for plain text. Throws 400 for a schema that cannot be made into one. */
export async function grammarFor(
  loaded: LoadedModel,
  format: ChatBody["response_format"],
): Promise<LlamaGrammar | null> {
  if (!format || format.type === "text") return null
  if (format.type === "json_object") return loaded.llama.getGrammarFor("json")
  try {
    return await loaded.llama.createGrammarForJsonSchema(format.json_schema.schema as { type: "object" })
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new ApiError(400, `this JSON schema cannot be served: ${detail}`, { param: "response_format" })
  }
}

/** Token counts in OpenAI's words. */
export function usageOf(promptTokens: number, ending: Pick<Ending, "completionTokens" | "cachedPromptTokens">) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: ending.completionTokens,
    total_tokens: promptTokens + ending.completionTokens,
    prompt_tokens_details: { cached_tokens: ending.cachedPromptTokens },
  }
}

/** Server-side timings in llama.cpp's words, milliseconds. */
export function timingsOf(promptTokens: number, ending: Ending) {
  return {
    cache_n: ending.cachedPromptTokens,
    prompt_n: promptTokens - ending.cachedPromptTokens,
    prompt_ms: round(ending.promptMs),
    predicted_n: ending.completionTokens,
    predicted_ms: round(ending.predictedMs),
  }
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
