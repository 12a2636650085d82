/** How a model is loaded, what it is given, and how its output is read; sent to its thread when it starts. */
export interface ClassifierSettings {
  /** Hub id, local folder, or local ONNX file. */
  readonly model: string
  readonly dtype: "fp32" | "fp16" | "q8"
  readonly threads: number
  /** Texts in one pass. */
  readonly batchSize: number
  /** Where a model from the hub is kept. */
  readonly cacheDirectory: string
  /** For messages: `classifier`, `cross-encoder`. */
  readonly feature: string
  readonly form: InputForm
  readonly activation: Activation
  readonly windows: WindowRule
  /** Tokens of one pass, special tokens included; 0: what the model can take. */
  readonly maxTokens: number
  /** Names of the outputs in place of those in config.json. */
  readonly labels: readonly string[] | null
  /** Of a model that gives logits for each token: the first token's, or the largest of the pair's (or the only) text. */
  readonly tokens: "first" | "largest"
}

/** What becomes of the logits: one label is true, each is true or not, or they are the scores. */
export type Activation = "softmax" | "sigmoid" | "none"

/** How the windows of a long text become one score: the largest of a label, the mean, or only the first window is read. */
export type WindowRule = "max" | "mean" | "first"

/**
 * How texts are given to a model: as one text or a pair, as one text made by a template (`{text}`, `{pair}`, `{eos}`), or each in
 * inputs of its own, whose names begin with these prefixes.
 */
export type InputForm =
  | { readonly kind: "pair" }
  | { readonly kind: "template"; readonly template: string }
  | { readonly kind: "separate"; readonly prefixes: Readonly<Record<"source" | "pair" | "text", string>> }

/** Texts that are read together. */
export interface ReadTexts {
  readonly text: string
  readonly pair?: string
  readonly source?: string
}

/** Texts to read; without items the model is only loaded. */
export interface ClassifyJob {
  readonly items: readonly ReadTexts[]
}

/** What the thread answers: the model's labels, and for each item one number a label. */
export interface ClassifyResult {
  readonly labels: readonly string[]
  readonly values: readonly (readonly number[])[]
}

/** The part of an identity that says how the output was made, for signatures. */
export function readingOf({ activation, windows, maxTokens }: ClassifierSettings): string {
  return `${activation}|windows:${windows}${maxTokens === 0 ? "" : `/${maxTokens}`}`
}
