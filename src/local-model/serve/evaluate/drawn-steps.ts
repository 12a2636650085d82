import type { LlamaContextSequence, Token } from "node-llama-cpp"
import { createRandom } from "../../../core/random.ts"
import { sum } from "../../../stats/sum.ts"
import type { GenerateOptions } from "../generate.ts"
import type { LoadedModel } from "../load-model.ts"
import { type Listing, scaled } from "../sampling/native-sampling.ts"
import { sampleToken } from "../sampling/sample-token.ts"
import { nativeSequence } from "./native-context.ts"

/** One step of an answer: the token that it ends with, and what was asked to know about it. */
export interface Step {
  readonly token: Token
  /** The token's own probability, where no others are listed. */
  readonly confidence?: number
  readonly probabilities?: Map<Token, number>
}

/** What a step ends with, at a place of the batch. */
type Choose = (position: number) => Promise<Step>

/** Alternatives that are listed: as many as a request for an answer may ask for. */
const listed = 20

/**
 * The steps of an answer, each with the token that it ends with: the most likely one, or one that is drawn. None before `minTokens` ends the answer.
 *
 * @param tokens what the sequence has not read yet
 */
export async function* drawnSteps(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  options: GenerateOptions,
  tokens: readonly Token[],
): AsyncGenerator<Step, void> {
  const { choose, dispose } = options.grammar ? grammatical(loaded, options) : free(loaded, options)
  const native = nativeSequence(sequence)
  try {
    for (let next = tokens; ; ) {
      const last = next.length - 1
      const reading = { sequence: native, tokens: next, isSampled: (i: number) => i === last, sample: choose }
      const [step] = (await loaded.rounds.evaluate(reading)) as [Step]
      yield step
      next = [step.token]
    }
  } finally {
    dispose?.()
  }
}

/** Under a grammar the binding draws. */
function grammatical({ binding, model, native, sampling }: LoadedModel, options: GenerateOptions) {
  const { grammar, temperature, topP, seed, alternatives } = options
  const state = new binding.LlamaGrammarEvaluationState({ model, grammar: grammar as NonNullable<typeof grammar> })
  const drawn = temperature > 0 ? { temperature, topK: 0, topP, minP: 0, seed } : { temperature: 0 }
  const { _state: grammarEvaluationState } = state as unknown as { readonly _state: unknown }
  const sampler = native.createSampler({ ...drawn, grammarEvaluationState })
  const choose: Choose = (position) => sampling.by(sampler, position, alternatives)
  return { choose, dispose: () => sampler.dispose() }
}

/**
 * The token is drawn here. The most likely tokens of a large vocabulary decide nearly every step; where they do not, more is asked about the same output:
 * how likely they are together, and the whole distribution at last.
 */
function free({ sampling }: LoadedModel, options: GenerateOptions) {
  const { temperature, alternatives, minTokens = 0 } = options
  const isDrawn = temperature > 0
  const random = createRandom(options.seed)
  async function* listings(position: number): AsyncGenerator<Listing> {
    if (sampling.isLarge) {
      const likely = await sampling.relative(position)
      if (alternatives === null) yield likely
      // Above temperature 1 the share of the rest says nothing about its weight.
      if (temperature <= 1) {
        const { confidence } = await sampling.confident(position)
        yield scaled(likely, confidence)
      }
    }
    yield sampling.all(position)
  }
  let [written, draw] = [0, random.next()]
  const ends = new Set(minTokens > 0 ? [...sampling.ends(), ...options.stopTokens] : [])
  const chosen = (isBarred: boolean, listing: Listing): Token | undefined => {
    const { token, probabilities, rest, leastRest, isScaled } = listing
    if (!isBarred) return isDrawn ? sampleToken(probabilities, options, draw, rest, leastRest) : token
    const choices = new Map(probabilities)
    const unlisted = [...ends].filter((end) => !choices.delete(end)).length
    if (!isDrawn) return choices.keys().next().value
    if (isScaled && sum(choices.values()) < 0.01) return undefined
    const least = [...choices.values()].at(-1) ?? 0
    return sampleToken(choices, options, draw, rest, Math.max(0, leastRest - unlisted * least))
  }
  const step = async (position: number, isBarred: boolean): Promise<Step> => {
    if (!isDrawn && !isBarred && alternatives !== null)
      return alternatives > 0 ? sampling.likely(position, listed) : sampling.confident(position)
    if (!isDrawn && alternatives === null) {
      const token = await sampling.greedy(position)
      if (!isBarred || !ends.has(token)) return { token }
    }
    for await (const listing of listings(position)) {
      const token = chosen(isBarred, listing)
      if (token !== undefined) return { token, probabilities: listing.probabilities }
    }
    throw new Error("the model gave no token")
  }
  const choose: Choose = async (position) => {
    const taken = await step(position, written < minTokens)
    written++
    draw = random.next()
    return taken
  }
  return { choose, dispose: undefined }
}
