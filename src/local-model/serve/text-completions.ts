import type { Token } from "node-llama-cpp"
import {
  checkCharacters,
  checkLength,
  ofAllAnswers,
  type ReadWork,
  type Serving,
  samplingOptions,
} from "./completion-work.ts"
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
 * Answers `POST /v1/completions`: continues a text, or each of a list (`n` times each, in the order of the list), and with `echo` gives
 * the log-probabilities of the text itself, which is what perplexity needs (`max_tokens: 0` generates nothing).
 */
export function textCompletion(loaded: LoadedModel, body: CompletionBody): ReadWork {
  const prompts = promptsOf(body).map((prompt) => ({ prompt, ...promptTokens(loaded, body, prompt) }))
  const maxTokens = body.max_tokens ?? defaultMaxTokens
  for (const { tokens } of prompts) checkLength(loaded, tokens, maxTokens > 0 ? 1 : 0, "prompt")
  return {
    prompt: body.cache_prompt === true && !body.echo ? (prompts[0]?.tokens ?? null) : null,
    answer: (serving) => completions(serving, body, prompts, maxTokens),
  }
}

async function* completions(
  serving: Serving,
  body: CompletionBody,
  prompts: readonly Pick<OnePrompt, "prompt" | "tokens" | "hidden">[],
  maxTokens: number,
): AsyncGenerator<unknown> {
  const head = { id: serving.id, object: "text_completion", created: serving.created, model: serving.loaded.name }
  const repeats = body.n ?? 1
  const choices: Choice[] = []
  const endings: Ending[] = []
  // The end of an answer waits for what follows it, since the last one carries the timings.
  let ended: Choice | null = null
  for (const [at, prompt] of prompts.entries())
    for (let repeat = 0; repeat < repeats; repeat++) {
      const part = oneCompletion(serving, body, { ...prompt, index: at * repeats + repeat, maxTokens })
      let next = await part.next()
      for (; !next.done; next = await part.next()) {
        if (!body.stream) choices.push(next.value)
        else if (next.value.finish_reason !== null) ended = next.value
        else yield { ...head, choices: [next.value] }
      }
      endings.push(next.value)
      if (ended && endings.length < prompts.length * repeats) yield { ...head, choices: [ended] }
    }
  const lengths = prompts.map(({ tokens }) => tokens.length)
  const { usage, timings } = ofAllAnswers(lengths, endings)
  if (!body.stream) yield { ...head, choices, usage, timings }
  else yield { ...head, choices: [ended], timings }
  if (body.stream && body.stream_options?.include_usage) yield { ...head, choices: [], usage }
}

/** An answer, or a part of one, in OpenAI's words. */
interface Choice {
  readonly index: number
  readonly text: string
  readonly logprobs: unknown
  readonly finish_reason: string | null
}

/** One prompt of a request, and the place of its answer. */
interface OnePrompt {
  readonly prompt: string | readonly number[]
  readonly tokens: Token[]
  readonly hidden: number
  readonly index: number
  readonly maxTokens: number
}

/** The choices of one answer: parts of it where it is streamed, else the whole. */
async function* oneCompletion(
  serving: Serving,
  body: CompletionBody,
  { prompt, tokens, hidden, index, maxTokens }: OnePrompt,
): AsyncGenerator<Choice, Ending> {
  const { loaded, sequence, signal } = serving
  const alternatives = body.logprobs ?? null
  const parts: { text: string; tokens: TextToken[] }[] = []
  const choice = (text: string, described: readonly TextToken[], finish: string | null, offset: number) => ({
    index,
    text,
    logprobs: listed(alternatives, described, offset),
    finish_reason: finish,
  })
  let length = 0
  if (body.echo) {
    const described = await echoed(serving, tokens, hidden, alternatives)
    const text = typeof prompt === "string" ? prompt : loaded.model.detokenize(tokens, true)
    if (body.stream) yield choice(text, described, null, 0)
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
    const sampling = samplingOptions(loaded, body)
    const options = { ...sampling, seed: sampling.seed + index, tokens, maxTokens, alternatives, grammar: null, signal }
    const pieces = generate(loaded, sequence, { ...options, stopTokens: new Set(), stopTexts: body.stop })
    let next = await pieces.next()
    for (; !next.done; next = await pieces.next()) {
      const described = next.value.logprobs.map((score) => ({ text: score.token, score }))
      if (body.stream) yield choice(next.value.text, described, null, length)
      parts.push({ text: next.value.text, tokens: described })
      length += next.value.text.length
    }
    ending = next.value
  }
  if (body.stream) yield choice("", [], ending.finishReason, length)
  else {
    const text = parts.map((part) => part.text).join("")
    const described = parts.flatMap((part) => part.tokens)
    yield choice(text, described, ending.finishReason, 0)
  }
  return ending
}

/** A prompt is a text or a list of token numbers; a request has one of them or a list. */
function promptsOf({ prompt }: CompletionBody): readonly (string | readonly number[])[] {
  if (typeof prompt === "string") return [prompt]
  return prompt.every((one) => typeof one === "number") ? [prompt as number[]] : (prompt as (string | number[])[])
}

/** The prompt's tokens, behind the start token that the model wants; `hidden` of them are not part of the text. */
export function promptTokens(
  loaded: LoadedModel,
  body: Pick<CompletionBody, "parse_special">,
  prompt: string | readonly number[],
): { tokens: Token[]; hidden: number } {
  if (typeof prompt !== "string") return { tokens: prompt as Token[], hidden: 0 }
  checkCharacters(loaded, prompt.length, "prompt")
  const tokens = loaded.model.tokenize(prompt, body.parse_special === true)
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
