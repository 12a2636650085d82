import type { LlamaContext } from "node-llama-cpp"
import type { SampleNative } from "./sample-listed.ts"

/** The part of the binding's context that its types leave out. */
interface NativeContext {
  sampleToken?: SampleNative
}

/**
 * Lets a context sample one token at a time.
 *
 * llama.cpp puts the outputs of a batch in order when they are first read (`output_reorder`), without a lock; the
 * binding samples the sequences of a batch on several threads at once. Two of them that put the same outputs in order
 * swap them back, and a sequence goes on with a token of another: with four sequences that happened to one to two answers in a
 * hundred. Sampling is short beside decoding, so that taking turns costs nothing that can be measured.
 *
 * @param instead what is called in place of the binding's own function, which it receives
 */
export function sampleInTurn(
  context: LlamaContext,
  instead: (sample: SampleNative) => SampleNative = (sample) => sample,
): void {
  const native = (context as unknown as { _ctx?: NativeContext })._ctx
  const own = native?.sampleToken
  if (!native || !own) throw new Error("this version of node-llama-cpp samples in a way that is not known")
  const sample = instead((...call) => own.apply(native, call))
  let last: Promise<unknown> = Promise.resolve()
  // Defined, not assigned: the native class has it read-only.
  Object.defineProperty(native, "sampleToken", {
    value: (...call: Parameters<SampleNative>) => {
      const sampled = last.then(() => sample(...call))
      last = sampled.catch(() => {})
      return sampled
    },
  })
}
