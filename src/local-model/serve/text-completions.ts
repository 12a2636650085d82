import type { Token } from "node-llama-cpp"
import { checkCharacters, checkLength, type Serving, samplingOptions, timingsOf, usageOf } from "./completion-work.ts"
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
 * Answers `POST /v1/completions`: continues one text after the other, each a choice of its own, and with `echo` gives the log-probabilities of the text itself, which is what perplexity needs
 * (`max_tokens: 0` generates nothing).
 */
export async function* textCompletion(serving: Serving, body: CompletionBody): AsyncGenerator<unknown> {
  const { loaded } = serving
  const maxTokens = body.max_tokens ?? defaultMaxTokens
  const prompts = body.prompt.map((source) => promptTokens(loaded, source))
  for (const { tokens } of prompts) checkLength(loaded, tokens, maxTokens > 0 ? 1 : 0, "prompt")
  const head = { id: serving.id, object: "text_completion", created: serving.created, model: loaded.name }
  const alternatives = body.logprobs ?? null
  const choices: unknown[] = []
  const endings: Ending[] = []
  for (const [index, prompt] of prompts.entries()) {
    const choice = (text: string, described: readonly TextToken[], finish: string | null, offset: number) => ({
      index,
      text,
      logprobs: listed(alternatives, described, offset),
      finish_reason: finish,
    })
    let text = ""
    const described: TextToken[] = []
    const parts = written(serving, body, prompt, maxTokens)
    let next = await parts.next()
    for (; !next.done; next = await parts.next()) {
      if (body.stream) yield { ...head, choices: [choice(next.value.text, next.value.tokens, null, text.length)] }
      else described.push(...next.value.tokens)
      text += next.value.text
    }
    if (serving.signal.aborted) return
    endings.push(next.value)
    const { finishReason } = next.value
    if (!body.stream) choices.push(choice(text, described, finishReason, 0))
    else if (index < prompts.length - 1) yield { ...head, choices: [choice("", [], finishReason, text.length)] }
    else choices.push(choice("", [], finishReason, text.length))
  }
  const promptTokenCount = prompts.reduce((sum, { tokens }) => sum + tokens.length, 0)
  const usage = usageOf(promptTokenCount, totalOf(endings))
  const timings = timingsOf(promptTokenCount, totalOf(endings))
  yield { ...head, choices, ...(!body.stream && { usage }), timings }
  if (body.stream && body.stream_options?.include_usage) yield { ...head, choices: [], usage }
}

/** Counts and times of answers that were written one after the other. */
function totalOf(endings: readonly Ending[]): Ending {
  return endings.reduce((a, b) => ({
    finishReason: b.finishReason,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedPromptTokens: a.cachedPromptTokens + b.cachedPromptTokens,
    promptMs: a.promptMs + b.promptMs,
    predictedMs: a.predictedMs + b.predictedMs,
  }))
}

const nothingWritten: Ending = {
  finishReason: "length",
  completionTokens: 0,
  cachedPromptTokens: 0,
  promptMs: 0,
  predictedMs: 0,
}

/** The parts of the answer: the prompt itself where it is echoed, then what the model writes. */
async function* written(
  serving: Serving,
  body: CompletionBody,
  { source, tokens, hidden }: Prompt,
  maxTokens: number,
): AsyncGenerator<{ readonly text: string; readonly tokens: readonly TextToken[] }, Ending> {
  const { loaded, sequence, signal } = serving
  const alternatives = body.logprobs ?? null
  if (body.echo) {
    const text = typeof source === "string" ? source : loaded.model.detokenize(tokens, true)
    yield { text, tokens: await echoed(serving, tokens, hidden, alternatives) }
  }
  if (maxTokens === 0) return nothingWritten
  // A reader of an echo takes the last of the tokens for the written one: lm-eval, for one.
  const listsEnd = body.echo === true && alternatives !== null
  const options = { ...samplingOptions(body), tokens, maxTokens, alternatives, grammar: null, signal, listsEnd }
  const pieces = generate(loaded, sequence, { ...options, stopTokens: new Set(), stopTexts: body.stop })
  let next = await pieces.next()
  for (; !next.done; next = await pieces.next())
    yield { text: next.value.text, tokens: next.value.logprobs.map((score) => ({ text: score.token, score })) }
  return next.value
}

/** A prompt's tokens; `hidden` of them are not part of its text. */
interface Prompt {
  readonly source: string | readonly number[]
  readonly tokens: Token[]
  readonly hidden: number
}

/** The prompt's tokens, behind the start token that the model wants. */
function promptTokens(loaded: LoadedModel, source: Prompt["source"]): Prompt {
  if (typeof source !== "string") return { source, tokens: source as Token[], hidden: 0 }
  checkCharacters(loaded, source.length, "prompt")
  const tokens = loaded.model.tokenize(source)
  const { bos, shouldPrependBosToken } = loaded.model.tokens
  if (bos === null || !shouldPrependBosToken || tokens[0] === bos) return { source, tokens, hidden: 0 }
  return { source, tokens: [bos, ...tokens], hidden: 1 }
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
  const logprobs = new Map<string, number>()
  for (const { token, logprob } of top_logprobs) if (!logprobs.has(token)) logprobs.set(token, logprob)
  return logprobs
}
