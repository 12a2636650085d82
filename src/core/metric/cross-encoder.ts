import type { OpenOptions } from "./used-model.ts"

/** Texts that a cross-encoder reads together. @public */
export interface ScoredTexts {
  /** What the other text is compared with: passage, premise, reference, question. */
  readonly text: string
  /** What is scored: statement, hypothesis, answer. */
  readonly pair: string
  /** What was translated, for models that read it (COMET). */
  readonly source?: string
}

/** A model that reads two or three texts together and gives one number. @public */
export interface CrossEncoder {
  /** Model, precision, form of its input and how long texts are read: part of every signature. */
  readonly identity: string
  /** Smallest and largest possible score; ±Infinity for models that were trained on people's ratings (BLEURT, COMET). */
  readonly range: readonly [number, number]
  /** Whether it reads {@link ScoredTexts.source}, and cannot do without. */
  readonly needsSource: boolean
  /** One score per item, in order; higher is better supported, or more alike. */
  score(items: readonly ScoredTexts[], signal: AbortSignal): Promise<readonly number[]>
  /** Gets ready without reading a text: a run calls it before it asks anything. Throws where the weights are missing. */
  open?(signal: AbortSignal, options?: OpenOptions): Promise<void>
  close(): Promise<void>
}
