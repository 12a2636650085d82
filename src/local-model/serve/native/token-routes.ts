import type { Token } from "node-llama-cpp"
import { z } from "zod"
import { ApiError } from "../api-error.ts"
import { chatPrompt } from "../chat-prompt.ts"
import type { LoadedModel } from "../load-model.ts"
import { parse, parseChatBody } from "../request-body.ts"
import { toolChoiceOf } from "../tools/tool-body.ts"
import { textOf, tokenPieces } from "./token-pieces.ts"

const tokenizeSchema = z.object({
  content: z.string(),
  add_special: z.boolean().nullish(),
  parse_special: z.boolean().nullish(),
  with_pieces: z.boolean().nullish(),
})

const detokenizeSchema = z.object({ tokens: z.array(z.int().min(0)) })

/** Answers `POST /tokenize` as llama.cpp's server does: with pieces, a part of a character is told by its bytes. */
export function tokenize(loaded: LoadedModel, json: unknown): { readonly tokens: readonly unknown[] } {
  const { content, add_special, parse_special, with_pieces } = parse(tokenizeSchema, json)
  const { model } = loaded
  const tokens = model.tokenize(content, parse_special ?? true)
  const { bos, eos, shouldPrependBosToken, shouldAppendEosToken } = model.tokens
  if (add_special && bos !== null && shouldPrependBosToken) tokens.unshift(bos)
  if (add_special && eos !== null && shouldAppendEosToken) tokens.push(eos)
  if (!with_pieces) return { tokens }
  const pieces = tokenPieces(model)
  return {
    tokens: tokens.map((id) => {
      const bytes = pieces.bytes(id)
      return { id, piece: textOf(bytes) ?? [...bytes] }
    }),
  }
}

/** Answers `POST /detokenize`: the text of tokens, control tokens spelled out. */
export function detokenize(loaded: LoadedModel, json: unknown): { readonly content: string } {
  const { tokens } = parse(detokenizeSchema, json)
  const known = loaded.model.fileInfo.metadata.tokenizer.ggml.tokens.length
  const strange = tokens.find((token) => token >= known)
  if (strange !== undefined)
    throw new ApiError(400, `there is no token ${strange}: this model has ${known}`, {
      param: "tokens",
      code: "invalid_value",
    })
  return { content: spelled(loaded, tokens as Token[]) }
}

/**
 * Answers `POST /apply-template`: the prompt that a chat request of these messages would be answered from, as a text, without the start token that
 * the tokenizer sets before it.
 */
export function applyTemplate(loaded: LoadedModel, json: unknown): { readonly prompt: string } {
  const body = parseChatBody(json)
  const tools = toolChoiceOf(body) ? (body.tools ?? []).map((tool) => tool.function) : []
  const { tokens } = chatPrompt(loaded, body.messages, tools)
  const { bos, shouldPrependBosToken } = loaded.model.tokens
  return { prompt: spelled(loaded, shouldPrependBosToken && tokens[0] === bos ? tokens.slice(1) : tokens) }
}

function spelled({ model }: LoadedModel, tokens: readonly Token[]): string {
  const pieces = tokenPieces(model)
  return Buffer.concat(tokens.map((token) => pieces.bytes(token))).toString("utf8")
}
