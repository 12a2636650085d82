import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp"
import type { SampleNative } from "../sampling/sample-listed.ts"
import { isPoolOfOne } from "./pool-of-one.ts"

/** One step of an evaluation: the token that the model would take, and what was asked to know about it. */
export interface Step {
  readonly token: Token
  readonly confidence?: number
  readonly probabilities?: Map<Token, number>
}

/** What is asked to know about each token. */
export interface Asked {
  readonly probabilities: boolean
  readonly confidence: boolean
}

/** Steps of one answer as the binding's `evaluateWithMetadata` gives them; each is given the token that it ends with. */
export type Steps = AsyncGenerator<Step, void, Token | undefined>

/** Takes one greedy step of the only answer of a round: it reads tokens, a batch of them at most, and samples behind the last one. */
export type EvaluateAlone = (sequence: LlamaContextSequence, tokens: readonly Token[], asked: Asked) => Promise<Step>

/** The parts of the binding that its types leave out. */
interface NativeContext {
  initBatch?(size: number): void
  /** Places of the wanted outputs in the batch. */
  addToBatch?(sequence: number, firstIndex: number, tokens: Uint32Array, wanted: Uint32Array): Uint32Array
  decodeBatch?(): Promise<void>
  sampleToken?: SampleNative
}
interface NativeSequence {
  readonly _sequenceId?: number
  readonly needsCheckpoints?: boolean
  _nextTokenIndex?: number
  _contextTokens?: Token[]
}
interface Internals {
  readonly _llama?: { readonly _bindings?: { readonly AddonSampler?: new (model: unknown) => NativeSampler } }
  readonly _model?: unknown
}
interface NativeSampler {
  applyConfig(config: object): void
}

/**
 * Evaluation without the binding's queue, for an answer that is the only one of a round. The queue gathers what several sequences ask for into one
 * batch; for one answer it costs a turn of the event loop, four locks and a sampler for each token, and the thread that decodes
 * sleeps until it is told to sample. Here a step is put to that thread as one piece of work where it is the only one.
 *
 * What the binding knows of a sequence (its tokens, its place) is kept, so that each of the two goes on where the other one stopped.
 *
 * @returns null where this version of the binding is made in another way
 */
export function evaluateAlone(context: LlamaContext): EvaluateAlone | null {
  const native = (context as unknown as { readonly _ctx?: NativeContext })._ctx
  const model = context.model as unknown as Internals
  const Sampler = model._llama?._bindings?.AddonSampler
  if (!native?.initBatch || !native.addToBatch || !native.decodeBatch || !native.sampleToken || !Sampler) return null
  const batch = native as Required<NativeContext>
  const greedy = new Sampler(model._model)
  greedy.applyConfig({ temperature: 0 })

  async function sample(place: number, { probabilities, confidence }: Asked): Promise<Step> {
    const isPlain = !probabilities && !confidence
    const result = await (isPlain
      ? batch.sampleToken(place, greedy)
      : batch.sampleToken(place, greedy, probabilities, confidence))
    const [token, distribution, share] = (isPlain ? [result] : result) as [Token, number[]?, number?]
    if (token < 0) throw new Error("the model gave no token")
    return {
      token,
      ...(distribution && { probabilities: byToken(distribution) }),
      ...(share !== undefined && { confidence: share }),
    }
  }

  return async (given, tokens, asked) => {
    const sequence = given as unknown as Required<NativeSequence>
    batch.initBatch(tokens.length)
    const wanted = Uint32Array.of(tokens.length - 1)
    const places = batch.addToBatch(sequence._sequenceId, sequence._nextTokenIndex, Uint32Array.from(tokens), wanted)
    const decoded = batch.decodeBatch()
    // A pool of one thread takes what it is given in turn: what is to be sampled waits there, and not here.
    if (!isPoolOfOne) await decoded
    const [step] = await Promise.all([sample(places[0] as number, asked), decoded])
    sequence._nextTokenIndex += tokens.length
    sequence._contextTokens.push(...tokens)
    return step
  }
}

/** Whether a sequence is kept as this file expects; what needs checkpoints (sliding windows, recurrent models) is left to the binding. */
export function canEvaluateAlone(given: LlamaContextSequence): boolean {
  const sequence = given as unknown as NativeSequence
  return (
    typeof sequence._sequenceId === "number" &&
    typeof sequence._nextTokenIndex === "number" &&
    Array.isArray(sequence._contextTokens) &&
    sequence.needsCheckpoints === false
  )
}

/** Tokens and probabilities in turn, as a map in their order. */
function byToken(pairs: readonly number[]): Map<Token, number> {
  const found = new Map<Token, number>()
  for (let i = 0; i < pairs.length; i += 2) found.set(pairs[i] as Token, pairs[i + 1] as number)
  return found
}
