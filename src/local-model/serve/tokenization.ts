import type { Token } from "node-llama-cpp"
import { z } from "zod"
import { checkCharacters, checkLength, type Served } from "./completion-work.ts"
import type { LoadedModel } from "./load-model.ts"
import { parse } from "./request-body.ts"

// The tokenizer in the words of vLLM's server: clients that score texts (lm-eval's `local-completions`) cut them by it.

const tokenizeSchema = z.object({
  model: z.string().nullish(),
  prompt: z.string("expected a text"),
  add_special_tokens: z.boolean().nullish(),
})
const detokenizeSchema = z.object({ model: z.string().nullish(), tokens: z.array(z.int().min(0)) })

/** A body of `POST /tokenize`, checked. */
export type TokenizeBody = z.infer<typeof tokenizeSchema>
/** A body of `POST /detokenize`, checked. */
export type DetokenizeBody = z.infer<typeof detokenizeSchema>

/** Checks a request for tokens; throws 400 that names the field. */
export function parseTokenizeBody(body: unknown): TokenizeBody {
  return parse(tokenizeSchema, body)
}

/** Checks a request for the text of tokens; throws 400 that names the field. */
export function parseDetokenizeBody(body: unknown): DetokenizeBody {
  return parse(detokenizeSchema, body)
}

/** Answers `POST /tokenize`: the numbers of a text's tokens, control tokens by their names among them; the start token unless it is not wanted. */
export async function* tokenize({ loaded }: Served, body: TokenizeBody): AsyncGenerator<unknown> {
  checkCharacters(loaded, body.prompt.length, "prompt")
  const { model, contextSize } = loaded
  const { bos, shouldPrependBosToken } = model.tokens
  const tokenized = model.tokenize(body.prompt, true)
  const isStarted = body.add_special_tokens === false || !shouldPrependBosToken || bos === null || tokenized[0] === bos
  const tokens = isStarted ? tokenized : [bos, ...tokenized]
  yield { tokens, count: tokens.length, max_model_len: contextSize }
}

/** Answers `POST /detokenize`: the text of tokens, control tokens by their names. */
export async function* detokenize({ loaded }: Served, { tokens }: DetokenizeBody): AsyncGenerator<unknown> {
  if (tokens.length > 0) checkLength(loaded, tokens as Token[], 0, "tokens")
  yield { prompt: loaded.model.detokenize(tokens as Token[], true) }
}

/** Answers `GET /tokenizer_info`. */
export function tokenizerInfo({ model }: LoadedModel): object {
  const { bosString, eosString } = model.tokens
  const { chat_template } = model.fileInfo.metadata.tokenizer
  return { tokenizer_class: "GGUF", bos_token: bosString, eos_token: eosString, chat_template: chat_template ?? null }
}
