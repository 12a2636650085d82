/** A model that gives each text, or pair of texts, a probability per label. @public */
export interface TextClassifier {
  /** Model and precision: part of every signature. */
  readonly identity: string
  /** Probabilities by label, 0..1, one map per text, in order. */
  classify(
    texts: readonly (string | { readonly text: string; readonly pair: string })[],
    signal: AbortSignal,
  ): Promise<readonly ReadonlyMap<string, number>[]>
  close(): Promise<void>
}
