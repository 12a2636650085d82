import type { LlamaContextSequence, LlamaGrammar, Token } from "node-llama-cpp"
import { drawnSteps } from "./evaluate/drawn-steps.ts"
import type { LoadedModel } from "./load-model.ts"
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
  const isEnding = (token: Token) => model.isEogToken(token) || options.stopTokens.has(token)
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
  try {
    cachedPromptTokens = await loaded.rounds.between(() => alignSequence(sequence, options))
    const unread = options.tokens.slice(cachedPromptTokens)
    const steps = limit > 0 ? drawnSteps(loaded, sequence, options, unread) : []
    if (limit <= 0) finishReason = "length"
    for await (const { token, confidence, probabilities } of steps) {
      if (options.signal.aborted) break
      const at = performance.now()
      if (firstAt === 0) {
        firstAt = at
        loaded.counts.read(options.tokens.length - cachedPromptTokens, firstAt - started)
      }
      const isEnd = isEnding(token)
      if (isEnd) stopToken = token
      if (isEnd && !options.listsEnd) break
      completionTokens++
      lastAt = at
      tokens.push(token)
      if (options.alternatives !== null) {
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
    }
    const rest = stops.push(decoder.flush())
    stopText = rest.by
    const text = rest.stopped ? rest.text : rest.text + stops.flush()
    if (text !== "" || logprobs.length > 0) yield { text, logprobs, tokens }
    return ending()
  } finally {
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
