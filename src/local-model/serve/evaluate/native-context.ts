import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp"
import { UsageError } from "../../../core/errors.ts"
import { isPoolOfOne } from "./pool-of-one.ts"

/** A native sampler of the binding. */
export interface NativeSampler {
  applyConfig(config: object): void
  dispose(): void
}

/** The parts of the binding's context that its types leave out. */
export interface NativeContext {
  initBatch(size: number): void
  /** Places of the wanted outputs in the batch. */
  addToBatch(sequence: number, firstIndex: number, tokens: Uint32Array, sampled: Uint32Array): Uint32Array
  decodeBatch(): Promise<void>
  /** In turn: a token, or it with its distribution (tokens and probabilities in turn) and its own probability, where one of them is asked for. */
  sampleToken(index: number, sampler: NativeSampler, probabilities?: boolean, confidence?: boolean): Promise<unknown>
  createSampler(config: object): NativeSampler
}

/** What the binding knows of a sequence. */
export interface NativeSequence {
  readonly _sequenceId: number
  _nextTokenIndex: number
  _contextTokens: Token[]
}

interface Internals {
  readonly _llama?: { readonly _bindings?: { readonly AddonSampler?: new (model: unknown) => NativeSampler } }
  readonly _model?: unknown
}

/**
 * A context without the binding's queue, which goes on with whoever is in it: an answer that came in the middle of a batch is evaluated alone behind it
 * from then on. It also costs a turn of the event loop, four locks and a sampler for each token.
 *
 * @throws UsageError when this version of the binding is made in another way
 */
export function nativeContext(context: LlamaContext): NativeContext {
  const own = (context as unknown as { readonly _ctx?: Partial<NativeContext> })._ctx
  const model = context.model as unknown as Internals
  const Sampler = model._llama?._bindings?.AddonSampler
  if (!own?.initBatch || !own.addToBatch || !own.decodeBatch || !own.sampleToken || !Sampler) throw unknownVersion()
  const native = own as NativeContext
  let last: Promise<unknown> = Promise.resolve()
  /** llama.cpp puts the outputs of a batch in order when they are first read, without a lock: two threads that do so swap them back. */
  const inTurn: NativeContext["sampleToken"] = (...asked) => {
    const sampled = last.then(() => native.sampleToken(...asked))
    last = sampled.catch(() => {})
    return sampled
  }
  return {
    initBatch: (size) => native.initBatch(size),
    addToBatch: (...part) => native.addToBatch(...part),
    decodeBatch: () => native.decodeBatch(),
    // A pool of one thread takes them in turn by itself.
    sampleToken: isPoolOfOne ? (...asked) => native.sampleToken(...asked) : inTurn,
    createSampler(config) {
      const sampler = new Sampler(model._model)
      sampler.applyConfig(config)
      return sampler
    },
  }
}

/** A sequence as the binding keeps it: what is changed here is what it goes on from. Throws as {@link nativeContext} does. */
export function nativeSequence(llamaContextSequence: LlamaContextSequence): NativeSequence {
  const sequence = llamaContextSequence as unknown as Partial<NativeSequence>
  if (typeof sequence._sequenceId !== "number" || typeof sequence._nextTokenIndex !== "number") throw unknownVersion()
  return sequence as NativeSequence
}

function unknownVersion(): UsageError {
  return new UsageError("this version of node-llama-cpp evaluates in a way that is not known", {
    where: "node-llama-cpp",
    hint: "evalkit add local installs one that is",
  })
}
