import type { Token } from "node-llama-cpp"
import { checkLength, type Serving, samplingOptions, timingsOf, usageOf } from "./completion-work.ts"
import { type Ending, generate } from "./generate.ts"
import type { LoadedModel } from "./load-model.ts"
import type { CompletionBody } from "./request-body.ts"
import { scoreTokens } from "./score-tokens.ts"
import type { ServedLogprob } from "./token-logprob.ts"

/** A token of a text with its score: none for a first token that nothing precedes. */
interface TextToken {
  readonly text: string
  readonly score: ServedLogprob | null
}

const defaultMaxTokens = 16

/**
 * Answers `POST /v1/completions`: continues a text, and with `echo` gives the log-probabilities of the text itself, which
 * is what perplexity needs (`max_tokens: 0` generates nothing).
 */
export async function* textCompletion(serving: Serving, body: CompletionBody): AsyncGenerator<unknown> {
  const { loaded, sequence, signal } = serving
  const { tokens, hidden } = promptTokens(loaded, body)
  const maxTokens = body.max_tokens ?? defaultMaxTokens
  checkLength(loaded, tokens, maxTokens > 0 ? 1 : 0, "prompt")
  const alternatives = body.logprobs ?? null
  const head = { id: serving.id, object: "text_completion", created: serving.created, model: loaded.name }
  const parts: { text: string; tokens: TextToken[] }[] = []
  const chunk = (text: string, described: readonly TextToken[], finish: string | null, offset: number) => ({
    ...head,
    choices: [{ index: 0, text, logprobs: listed(alternatives, described, offset), finish_reason: finish }],
  })
  let length = 0
  if (body.echo) {
    const described = await echoed(serving, tokens, hidden, alternatives)
    const text = typeof body.prompt === "string" ? body.prompt : loaded.model.detokenize(tokens, true)
    if (body.stream) yield chunk(text, described, null, 0)
    parts.push({ text, tokens: described })
    length += text.length
  }
  let ending: Ending = {
    finishReason: "length",
    completionTokens: 0,
    cachedPromptTokens: 0,
    promptMs: 0,
    predictedMs: 0,
  }
  if (maxTokens > 0) {
    const options = { ...samplingOptions(body), tokens, maxTokens, alternatives, grammar: null, signal }
    const pieces = generate(loaded, sequence, { ...options, stopTokens: new Set(), stopTexts: body.stop })
    let next = await pieces.next()
    for (; !next.done; next = await pieces.next()) {
      const described = next.value.logprobs.map((score) => ({ text: score.token, score }))
      if (body.stream) yield chunk(next.value.text, described, null, length)
      parts.push({ text: next.value.text, tokens: described })
      length += next.value.text.length
    }
    ending = next.value
  }
  const usage = usageOf(tokens.length, ending)
  const timings = timingsOf(tokens.length, ending)
  if (body.stream) {
    yield { ...chunk("", [], ending.finishReason, length), timings }
    if (body.stream_options?.include_usage) yield { ...head, choices: [], usage }
    return
  }
  const text = parts.map((part) => part.text).join("")
  const described = parts.flatMap((part) => part.tokens)
  yield { ...chunk(text, described, ending.finishReason, 0), usage, timings }
}

/** The prompt's tokens, behind the start token that the model wants; `hidden` of them are not part of the text. */
function promptTokens(loaded: LoadedModel, body: CompletionBody): { tokens: Token[]; hidden: number } {
  if (typeof body.prompt !== "string") return { tokens: body.prompt as Token[], hidden: 0 }
  const tokens = loaded.model.tokenize(body.prompt, body.parse_special === true)
  const { bos, shouldPrependBosToken } = loaded.model.tokens
  if (bos === null || !shouldPrependBosToken || tokens[0] === bos) return { tokens, hidden: 0 }
  return { tokens: [bos, ...tokens], hidden: 1 }
}

async function echoed(
  serving: Serving,
  tokens: readonly Token[],
  hidden: number,
  alternatives: number | null,
): Promise<TextToken[]> {
  const { loaded, sequence, signal } = serving
  const scores =
    alternatives === null ? [] : await scoreTokens(loaded, sequence, { tokens, from: 1, alternatives, signal })
  return tokens.map((token, i) => ({ text: loaded.describer.text(token), score: scores[i - 1] ?? null })).slice(hidden)
}

/** OpenAI's older shape: parallel lists. */
function listed(alternatives: number | null, tokens: readonly TextToken[], offset: number) {
  if (alternatives === null) return null
  let at = offset
  const offsets = tokens.map((token) => {
    at += token.text.length
    return at - token.text.length
  })
  return {
    tokens: tokens.map((token) => token.text),
    token_logprobs: tokens.map((token) => token.score?.logprob ?? null),
    top_logprobs:
      alternatives === 0 ? null : tokens.map((token) => token.score && Object.fromEntries(byText(token.score))),
    text_offset: offsets,
  }
}

/** Of tokens with the same text (parts of characters) the most likely one, which comes first. */
function byText({ top_logprobs }: ServedLogprob): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const { token, logprob } of top_logprobs) if (!found.has(token)) found.set(token, logprob)
  return found
}
