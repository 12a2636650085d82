import type { Token } from "node-llama-cpp"
import { ApiError } from "../api-error.ts"
import {
  checkLength,
  endOfValue,
  grammarFor,
  type ReadWork,
  type Serving,
  samplingOptions,
  timingsOf,
} from "../completion-work.ts"
import { type Ending, generate } from "../generate.ts"
import type { LoadedModel } from "../load-model.ts"
import { scoreTokens } from "../score-tokens.ts"
import { promptTokens } from "../text-completions.ts"
import { createTokenDescriber, type ServedLogprob, type TokenDescriber } from "../token-logprob.ts"
import type { NativeBody } from "./completion-body.ts"
import { tokenPieces } from "./token-pieces.ts"

/** A piece of an answer. */
interface Part {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly probabilities: readonly ServedLogprob[]
}

/**
 * Answers `POST /completion` in the words of llama.cpp's server: continues a prompt. Probabilities are the model's own, before a grammar, biases
 * and temperature. A grammar of token numbers makes it score exactly these.
 */
export function nativeCompletion(loaded: LoadedModel, body: NativeBody): ReadWork {
  const { grammar, settings } = body
  const prompt = promptTokens(loaded, { parse_special: true }, body.prompt).tokens
  const forced = grammar?.kind === "tokens" ? (grammar.tokens.slice(0, most(settings.n_predict)) as Token[]) : null
  checkLength(loaded, [...prompt, ...(forced ?? [])], forced || settings.n_predict === 0 ? 0 : 1, "prompt")
  checkList(loaded, settings, forced?.length ?? Math.min(most(settings.n_predict), loaded.contextSize - prompt.length))
  return {
    prompt: settings.cache_prompt && !forced ? prompt : null,
    answer: (serving) =>
      told(serving, body, prompt, forced ? scored(serving, body, prompt, forced) : generated(serving, body, prompt)),
  }
}

/** Alternatives that are listed while an answer is written, at most. */
const mostListed = 20

const most = (tokens: number): number => (tokens < 0 ? Number.POSITIVE_INFINITY : tokens)

/** Probabilities of one answer, at most: they are in memory at once. */
const mostEntries = 500_000

function checkList(loaded: LoadedModel, { n_probs }: NativeBody["settings"], tokens: number): void {
  const known = loaded.model.fileInfo.metadata.tokenizer.ggml.tokens.length
  if (Math.min(n_probs, known) * tokens <= mostEntries) return
  const message = `n_probs: ${n_probs} for each of up to ${tokens} tokens are too many; lower it, or n_predict`
  throw new ApiError(400, message, { param: "n_probs", code: "invalid_value" })
}

async function* told(
  { loaded }: Serving,
  body: NativeBody,
  prompt: readonly Token[],
  parts: AsyncGenerator<Part, Ending>,
): AsyncGenerator<unknown> {
  const { settings } = body
  const written: Part[] = []
  const listed = (probabilities: readonly ServedLogprob[]) =>
    settings.n_probs > 0 && { completion_probabilities: probabilities }
  let part = await parts.next()
  for (; !part.done; part = await parts.next()) {
    const { text, tokens, probabilities } = part.value
    if (settings.stream) yield { index: 0, content: text, tokens, stop: false, ...listed(probabilities) }
    else written.push(part.value)
  }
  const ending = part.value
  const tokens = written.flatMap((one) => one.tokens)
  yield {
    index: 0,
    content: written.map(({ text }) => text).join(""),
    tokens: body.return_tokens ? tokens : [],
    stop: true,
    model: loaded.name,
    prompt: typeof body.prompt === "string" ? body.prompt : loaded.model.detokenize(prompt, true),
    generation_settings: { ...settings, n_ctx: loaded.contextSize },
    tokens_predicted: ending.completionTokens,
    tokens_evaluated: prompt.length,
    tokens_cached: ending.cachedPromptTokens,
    truncated: false,
    stop_type: stopType(ending),
    stopping_word: ending.stopText ?? "",
    timings: timingsOf(prompt.length, ending),
    ...(!settings.stream && listed(written.flatMap(({ probabilities }) => probabilities))),
  }
}

function stopType({ finishReason, stopText }: Ending): "limit" | "word" | "eos" {
  if (finishReason === "length") return "limit"
  return stopText === undefined ? "eos" : "word"
}

async function* generated(
  { loaded, sequence, signal }: Serving,
  { settings, grammar, ...body }: NativeBody,
  prompt: Token[],
): AsyncGenerator<Part, Ending> {
  const schema = body.json_schema && { type: "json_schema" as const, json_schema: { schema: body.json_schema } }
  const held = await (grammar?.kind === "letters"
    ? loaded.llama.createGrammar({ grammar: grammar.text })
    : grammarFor(loaded, schema))
  // Under a grammar the binding states probabilities of what it allows, and of long lists none: then they are looked up behind the answer.
  const isLookedUp = settings.n_probs > mostListed || (held !== null && settings.n_probs > 0)
  const pieces = generate(described(loaded), sequence, {
    ...samplingOptions(loaded, { ...body, ...settings, seed: settings.seed < 0 ? null : settings.seed }),
    temperature: Math.max(0, settings.temperature),
    tokens: prompt,
    maxTokens: most(settings.n_predict),
    alternatives: settings.n_probs > 0 && !isLookedUp ? settings.n_probs : null,
    stopTokens: new Set(),
    stopTexts: [...settings.stop, ...(schema ? [endOfValue] : [])],
    grammar: held,
    signal,
  })
  const written: Token[] = []
  let piece = await pieces.next()
  for (; !piece.done; piece = await pieces.next()) {
    const { text, tokens = [], logprobs } = piece.value
    written.push(...tokens)
    yield { text, tokens, probabilities: logprobs }
  }
  if (isLookedUp && written.length > 0) {
    const options = {
      tokens: [...prompt, ...written],
      from: Math.max(1, prompt.length),
      alternatives: settings.n_probs,
      signal,
    }
    yield { text: "", tokens: [], probabilities: await scoreTokens(described(loaded), sequence, options) }
  }
  return piece.value
}

/** The probabilities of tokens that are given. */
async function* scored(
  { loaded, sequence, signal }: Serving,
  { settings }: NativeBody,
  prompt: readonly Token[],
  forced: readonly Token[],
): AsyncGenerator<Part, Ending> {
  const started = performance.now()
  const options = {
    tokens: [...prompt, ...forced],
    from: Math.max(1, prompt.length),
    alternatives: settings.n_probs,
    signal,
  }
  const probabilities = await scoreTokens(described(loaded), sequence, options)
  yield { text: loaded.model.detokenize(forced, true), tokens: forced, probabilities }
  return {
    finishReason: forced.length === settings.n_predict ? "length" : "stop",
    completionTokens: forced.length,
    cachedPromptTokens: 0,
    promptMs: performance.now() - started,
    predictedMs: 0,
  }
}

/** The model with tokens that are told by number and bytes. */
function described(loaded: LoadedModel): LoadedModel {
  let describer = describers.get(loaded)
  if (!describer) {
    describer = createTokenDescriber(loaded.model, tokenPieces(loaded.model))
    describers.set(loaded, describer)
  }
  return { ...loaded, describer }
}

const describers = new WeakMap<LoadedModel, TokenDescriber>()
