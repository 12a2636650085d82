import type { Generation } from "../generation.ts"
import type { Sample } from "../sample.ts"

/** One answer with its scores, as the sample browser shows it. @public */
export interface ReportAnswer {
  readonly generation: Generation
  /** Value per metric; null when unscored. */
  readonly values: Readonly<Record<string, number | null>>
  readonly reasons: Readonly<Record<string, string>>
  /** Parts of the text that a metric objects to, for marking. */
  readonly highlights?: readonly Highlight[]
  /** Metrics whose judges disagree on this answer. */
  readonly disputed?: readonly string[]
  /** The stage of a pipeline after which the gold passages were gone; absent where they came through, or no metric looked. */
  readonly lostAt?: string
}

/**
 * A part of an answer's text that a metric objects to: an unsupported claim, or personal data; or the sentences of a given text that
 * surprised the model most.
 * @public
 */
export interface Highlight {
  readonly kind: "unsupported" | "leak" | "surprising"
  /** The metric that found it. */
  readonly metric: string
  /** Where it begins and how long it is, in UTF-16 units of the text. */
  readonly start: number
  readonly length: number
  readonly reason: string
}

/** One sample with the answers of all variants; a report streams them. @public */
export interface ReportSample {
  readonly sample: Sample
  readonly answers: readonly ReportAnswer[]
}
