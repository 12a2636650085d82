import { setImmediate } from "node:timers/promises"
import type { Token } from "node-llama-cpp"
import { z } from "zod"
import { ApiError } from "../api-error.ts"
import { chatPrompt } from "../chat-prompt.ts"
import type { LoadedModel } from "../load-model.ts"
import { parse, parseChatBody } from "../request-body.ts"
import { toolChoiceOf } from "../tools/tool-body.ts"
import { textSlices } from "./text-slices.ts"
import { textOf, tokenPieces } from "./token-pieces.ts"

/** Characters of a text, and tokens of a list, at most: more than a context holds, and an answer that is written in a moment. */
const most = 524_288

const tooLong = (what: string) => ({ error: `expected at most ${most} ${what}: send it in parts` })

const tokenizeSchema = z.object({
  content: z.string().max(most, tooLong("characters")),
  add_special: z.boolean().nullish(),
  parse_special: z.boolean().nullish(),
  with_pieces: z.boolean().nullish(),
})

const detokenizeSchema = z.object({ tokens: z.array(z.int().min(0)).max(most, tooLong("tokens")) })

/** What `/tokenize` answers: numbers, or numbers with their pieces. */
interface Tokenized {
  readonly tokens: readonly (Token | { readonly id: Token; readonly piece: string | readonly number[] })[]
}

/**
 * Answers `POST /tokenize` as llama.cpp's server does: with pieces, a part of a character is told by its bytes. Between the slices of a long text
 * others are served.
 *
 * @param signal once it is aborted, nobody waits for the answer
 */
export async function tokenize(loaded: LoadedModel, json: unknown, signal: AbortSignal): Promise<Tokenized> {
  const { content, add_special, parse_special, with_pieces } = parse(tokenizeSchema, json)
  const { model } = loaded
  const { bos, eos, shouldPrependBosToken, shouldAppendEosToken } = model.tokens
  const pieces = tokenPieces(model)
  const tokens: Tokenized["tokens"][number][] = []
  const add = (id: Token) => {
    const bytes = with_pieces ? pieces.bytes(id) : null
    tokens.push(bytes ? { id, piece: textOf(bytes) ?? [...bytes] } : id)
  }
  if (add_special && bos !== null && shouldPrependBosToken) add(bos)
  for (const slice of textSlices(model, content)) {
    for (const token of model.tokenize(slice, parse_special ?? true)) add(token)
    if (slice.length === content.length) break
    await setImmediate()
    signal.throwIfAborted()
  }
  if (add_special && eos !== null && shouldAppendEosToken) add(eos)
  return { tokens }
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
