import type { LlamaContextSequence, LlamaGrammar, SequenceEvaluateOptions, Token } from "node-llama-cpp"
import { createRandom } from "../../core/random.ts"
import type { Step, Steps } from "./evaluate/evaluate-alone.ts"
import type { LoadedModel } from "./load-model.ts"
import { sampleToken } from "./sampling/sample-token.ts"
import { createStopMatcher } from "./stop-matcher.ts"
import type { ServedLogprob } from "./token-logprob.ts"
import { createTokenText } from "./token-text.ts"

/** What is generated and how. */
export interface GenerateOptions {
  readonly tokens: Token[]
  readonly maxTokens: number
  /** 0 is greedy. */
  readonly temperature: number
  readonly topP: number
  readonly seed: number
  /** Tokens before which no answer ends by itself: the model's own end is no choice until then. */
  readonly minTokens?: number
  /** Log-probabilities with this many alternatives; null for none. */
  readonly alternatives: number | null
  readonly stopTokens: ReadonlySet<Token>
  /** The token that ends the answer is counted and described like the others, as vLLM does; it has no text. */
  readonly listsEnd?: boolean
  readonly stopTexts: readonly string[]
  readonly grammar: LlamaGrammar | null
  /** Keep what the sequence already holds of the same prompt. Default false. */
  readonly reusePrefix?: boolean
  readonly signal: AbortSignal
}

/** A piece of the answer: text that is complete, with the tokens that made it. */
export interface Piece {
  readonly text: string
  readonly logprobs: readonly ServedLogprob[]
  /** The tokens; none of a call. */
  readonly tokens?: readonly Token[]
  /** Part of a call of a function, in place of a text; its first part has the name. */
  readonly call?: {
    /** Place of the call among those of the answer. */
    readonly index: number
    readonly id: string
    readonly name?: string
    /** A piece of the arguments, JSON. */
    readonly arguments: string
  }
}

/** How a generation ended. Tokens that end an answer (`<|end|>`) are not counted. */
export interface Ending {
  readonly finishReason: "stop" | "length" | "tool_calls"
  /** The stop text that ended it, if one did. */
  readonly stopText?: string
  /** The stop token that ended it, if one did. */
  readonly stopToken?: Token
  readonly completionTokens: number
  readonly cachedPromptTokens: number
  readonly promptMs: number
  /** From the first token to the last that is counted: the step that only ends an answer is not in it, as its token is not counted either. */
  readonly predictedMs: number
}

/**
 * Generates an answer piece by piece. Log-probabilities are those of the model's full softmax at temperature 1, also
 * where tokens are drawn at another temperature; under a grammar they are those of the tokens that it allows.
 * Stops quietly, as `stop`, when the signal aborts.
 */
export async function* generate(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  options: GenerateOptions,
): AsyncGenerator<Piece, Ending> {
  const { model } = loaded
  const started = performance.now()
  const choose = chooser(options, (token) => model.isEogToken(token) || options.stopTokens.has(token))
  const decoder = createTokenText(model)
  const stops = createStopMatcher(options.stopTexts)
  const limit = Math.min(options.maxTokens, loaded.contextSize - options.tokens.length)
  let finishReason: Ending["finishReason"] = "stop"
  let stopText: string | undefined
  let stopToken: Token | undefined
  let completionTokens = 0
  let firstAt = 0
  let lastAt = 0
  let logprobs: ServedLogprob[] = []
  let tokens: Token[] = []
  let cachedPromptTokens = 0
  let iterator: Steps | undefined
  await loaded.turns.enter()
  try {
    cachedPromptTokens = await alignSequence(sequence, options)
    iterator = steps(loaded, sequence, options, options.tokens.slice(cachedPromptTokens))
    let step = limit > 0 ? await iterator.next() : null
    if (!step) finishReason = "length"
    while (step && !step.done && !options.signal.aborted) {
      const at = performance.now()
      if (firstAt === 0) {
        firstAt = at
        loaded.counts.read(options.tokens.length - cachedPromptTokens, firstAt - started)
      }
      const token = choose(step.value)
      const isEnd = model.isEogToken(token) || options.stopTokens.has(token)
      if (isEnd) stopToken = token
      if (isEnd && !options.listsEnd) break
      completionTokens++
      lastAt = at
      tokens.push(token)
      if (options.alternatives !== null) {
        const { confidence, probabilities } = step.value
        const probability = probabilities?.get(token) ?? confidence
        logprobs.push(loaded.describer.describe(token, probability, probabilities, options.alternatives))
      }
      if (isEnd) break
      const released = stops.push(decoder.push(token))
      if (released.text !== "") {
        yield { text: released.text, logprobs, tokens }
        logprobs = []
        tokens = []
      }
      if (released.stopped) {
        stopText = released.by
        return ending()
      }
      if (completionTokens >= limit) {
        finishReason = "length"
        break
      }
      step = await iterator.next(token)
    }
    const rest = stops.push(decoder.flush())
    stopText = rest.by
    const text = rest.stopped ? rest.text : rest.text + stops.flush()
    if (text !== "" || logprobs.length > 0) yield { text, logprobs, tokens }
    return ending()
  } finally {
    await iterator?.return()
    loaded.turns.leave()
    if (completionTokens > 0) loaded.counts.written(completionTokens, lastAt - firstAt)
  }

  function ending(): Ending {
    firstAt ||= performance.now()
    return {
      finishReason,
      ...(stopText !== undefined && { stopText }),
      ...(stopToken !== undefined && { stopToken }),
      completionTokens,
      cachedPromptTokens,
      promptMs: firstAt - started,
      predictedMs: Math.max(0, lastAt - firstAt),
    }
  }
}

/** Brings the sequence to the part of the prompt that it already holds, or empties it; returns that part's length. */
async function alignSequence(sequence: LlamaContextSequence, options: GenerateOptions): Promise<number> {
  if (!options.reusePrefix) {
    await sequence.clearHistory()
    return 0
  }
  // The last token is always evaluated: it is the one that predicts.
  await sequence.adaptStateToTokens(options.tokens.slice(0, -1), false)
  return sequence.nextTokenIndex
}

/** The binding's own evaluation: greedy with what is needed to draw and to report; under a grammar it draws itself. */
function steps(loaded: LoadedModel, sequence: LlamaContextSequence, options: GenerateOptions, tokens: Token[]): Steps {
  const native: SequenceEvaluateOptions = { temperature: 0, yieldEogToken: true }
  if (options.grammar) {
    const state = new loaded.binding.LlamaGrammarEvaluationState({ model: loaded.model, grammar: options.grammar })
    native.grammarEvaluationState = state
    if (options.temperature > 0) {
      const { temperature, topP, seed } = options
      Object.assign(native, { temperature, topK: 0, topP, minP: 0, seed })
    }
  }
  const draws = options.temperature > 0 && !options.grammar
  const all = draws || (options.minTokens ?? 0) > 0
  const probabilities = all || (options.alternatives ?? 0) > 0
  // Both together: the most likely ones only, which are enough to list.
  const lists = !all && !options.grammar && loaded.listing !== null
  const confidence = options.alternatives !== null && (!probabilities || lists)
  const together = (rest: Token[]) =>
    probabilities || confidence
      ? sequence.evaluateWithMetadata(rest, { probabilities, confidence }, native)
      : sequence.evaluateWithMetadata(rest, {}, native)
  return loaded.alone && !options.grammar
    ? loaded.alone(sequence, tokens, { probabilities, confidence }, together)
    : together(tokens)
}

/** The token that a step ends with: the binding's, or one drawn from the full distribution. */
function chooser(options: GenerateOptions, isEnd: (token: Token) => boolean): (step: Step) => Token {
  if (options.grammar) return (step) => step.token
  const random = createRandom(options.seed)
  const { minTokens = 0 } = options
  let written = 0
  return ({ token, probabilities }) => {
    const isBarred = written++ < minTokens
    if (!probabilities || (options.temperature === 0 && !isBarred)) return token
    const choices = isBarred ? new Map([...probabilities].filter(([one]) => !isEnd(one))) : probabilities
    if (options.temperature > 0) return sampleToken(choices, options, random) ?? token
    return choices.keys().next().value ?? token
  }
}
