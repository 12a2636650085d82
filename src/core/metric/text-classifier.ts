import type { OpenOptions } from "./used-model.ts"

/** A model that gives each text, or pair of texts, a probability per label. @public */
export interface TextClassifier {
  /** Model, precision and how long texts are read: part of every signature. */
  readonly identity: string
  /** Probabilities by label, 0..1, one map per text, in order. */
  classify(
    texts: readonly (string | { readonly text: string; readonly pair: string })[],
    signal: AbortSignal,
  ): Promise<readonly ReadonlyMap<string, number>[]>
  /**
   * Gets ready without reading a text: a run calls it before it asks anything. Throws what {@link classify} would throw where
   * the weights are missing. Absent: nothing is known before the first use.
   */
  open?(signal: AbortSignal, options?: OpenOptions): Promise<void>
  close(): Promise<void>
}
