import type { LlamaContextSequence, SequenceEvaluateOptions, Token } from "node-llama-cpp"
import { createRandom } from "../../../core/random.ts"
import { sum } from "../../../stats/sum.ts"
import type { GenerateOptions } from "../generate.ts"
import type { LoadedModel } from "../load-model.ts"
import { sampleToken } from "../sampling/sample-token.ts"
import { type Asked, canEvaluateAlone, type Step, type Steps } from "./evaluate-alone.ts"

/**
 * The steps of an answer, each with the token that it ends with: the most likely one, or one that is drawn. The most likely tokens of a large
 * vocabulary (the first one, where nothing is drawn) decide nearly every step, and handing over all takes longer than evaluating them; where they
 * do not, the step is taken again.
 *
 * @param isEnd whether a token ends an answer, which no step before `minTokens` may
 */
export async function* drawnSteps(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  options: GenerateOptions,
  tokens: Token[],
  isEnd: (token: Token) => boolean,
): AsyncGenerator<Step, void> {
  const choose = chooser(options, isEnd)
  // What needs checkpoints (sliding windows, recurrent models) cannot take a step again; above temperature 1 the rest weighs too much.
  const canRepeat = choosesItself(options) && !options.grammar && !sequence.needsCheckpoints
  const isGreedy = options.temperature === 0 && options.alternatives === null
  const count = !canRepeat || options.temperature > 1 ? null : isGreedy ? 0 : loaded.drawsFrom
  const advance = (taken: Steps, listed: number | null, given?: Token) =>
    listed && loaded.listing ? loaded.listing(listed, () => taken.next(given)) : taken.next(given)
  for (let next = tokens; ; ) {
    const listed = steps(loaded, sequence, options, next, count)
    try {
      for (let given: Token | undefined; ; ) {
        const step = await advance(listed, count, given)
        if (step.done) return
        given = choose(step.value, count !== null)
        if (given === undefined) break
        yield { ...step.value, token: given }
      }
    } finally {
      await listed.return()
    }
    const start = sequence.nextTokenIndex - 1
    const last = sequence.contextTokens.slice(start)
    await loaded.rounds.between(() => sequence.eraseContextTokenRanges([{ start, end: start + 1 }]))
    const more = isGreedy ? loaded.drawsFrom : null
    const repeated = steps(loaded, sequence, options, last, more)
    const step = await advance(repeated, more)
    await repeated.return()
    if (step.done) return
    const token = choose(step.value, more !== null) ?? step.value.token
    yield { ...step.value, token }
    next = [token]
  }
}

/** The binding's own evaluation: greedy with what is needed to draw and to report; under a grammar it draws itself. */
function steps(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  options: GenerateOptions,
  tokens: Token[],
  /** Tokens that are listed to choose from; 0: none, but the most likely one; null: all, where there is something to choose. */
  count: number | null,
): Steps {
  const native: SequenceEvaluateOptions = { temperature: 0, yieldEogToken: true }
  if (options.grammar) {
    const state = new loaded.binding.LlamaGrammarEvaluationState({ model: loaded.model, grammar: options.grammar })
    native.grammarEvaluationState = state
    if (options.temperature > 0) {
      const { temperature, topP, seed } = options
      Object.assign(native, { temperature, topK: 0, topP, minP: 0, seed })
    }
  }
  const chooses = choosesItself(options) && count !== 0
  const probabilities = chooses || (options.alternatives ?? 0) > 0
  // Both together: the most likely ones only, which are enough to list.
  const lists = count !== null || (!chooses && !options.grammar && loaded.listing !== null)
  const confidence = probabilities ? lists : options.alternatives !== null
  const together = (rest: Token[]) =>
    probabilities || confidence
      ? sequence.evaluateWithMetadata(rest, { probabilities, confidence }, native)
      : sequence.evaluateWithMetadata(rest, {}, native)
  return roundSteps(loaded, sequence, tokens, options.grammar ? null : { probabilities, confidence }, together)
}

/**
 * A step in each round: by `together`, the binding's evaluation, or without its queue in rounds that nobody else is in. Of a prompt that is longer than a batch
 * each round reads one batch, so that others wait for no more.
 *
 * @param asked what a step without the queue is asked for; null: none is taken
 */
async function* roundSteps(
  { rounds, alone, context }: LoadedModel,
  sequence: LlamaContextSequence,
  tokens: Token[],
  asked: Asked | null,
  together: (tokens: Token[]) => Steps,
): Steps {
  const own = asked && alone && canEvaluateAlone(sequence) ? { alone, asked } : null
  let next = tokens
  for (; next.length > context.batchSize; next = next.slice(context.batchSize)) {
    const part = next.slice(0, context.batchSize)
    await rounds.take(() => sequence.evaluateWithoutGeneratingNewTokens(part))
  }
  const queued: { steps?: Steps | undefined } = {}
  try {
    for (;;) {
      const step = await rounds.take(async (isOnly) => {
        if (isOnly && own) {
          await queued.steps?.return()
          queued.steps = undefined
          return own.alone(sequence, next, own.asked)
        }
        queued.steps ??= together(next)
        return (await queued.steps.next(next[0])).value
      })
      if (!step) return
      next = [(yield step) ?? step.token]
    }
  } finally {
    await queued.steps?.return()
  }
}

/** Whether the token of a step is not always the binding's: it is drawn, or must not end the answer. */
function choosesItself({ temperature, grammar, minTokens = 0 }: GenerateOptions): boolean {
  return (temperature > 0 && !grammar) || minTokens > 0
}

/** The token that a step ends with: the binding's, or one that is drawn; undefined where the listed tokens do not decide it. */
function chooser(
  options: GenerateOptions,
  isEnd: (token: Token) => boolean,
): (step: Step, isListed: boolean) => Token | undefined {
  if (options.grammar) return (step) => step.token
  const random = createRandom(options.seed)
  const { minTokens = 0 } = options
  let [written, draw] = [0, random.next()]
  return ({ token, probabilities }, isListed) => {
    const isBarred = written < minTokens
    let chosen = !probabilities && isBarred && isEnd(token) ? undefined : token
    if (probabilities && (options.temperature > 0 || isBarred)) {
      const choices = isBarred ? new Map([...probabilities].filter(([one]) => !isEnd(one))) : probabilities
      const rest = isListed ? Math.max(0, 1 - sum(probabilities.values())) : 0
      chosen = options.temperature > 0 ? sampleToken(choices, options, draw, rest) : choices.keys().next().value
    }
    if (chosen === undefined) return undefined
    written++
    draw = random.next()
    return chosen
  }
}
