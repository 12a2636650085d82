import type { TokenEmbeddings } from "../../../core/metric/embedder.ts"

/** How a model is loaded and used; sent to the worker when it starts. */
export interface EncoderSettings {
  /** Hub id or local folder; null is the all-MiniLM-L6-v2 that comes with evalkit. */
  readonly model: string | null
  /** Commit of the hub id; null: its newest. */
  readonly revision: string | null
  readonly dtype: "fp32" | "fp16" | "int8" | "int4"
  readonly pooling: "mean" | "cls" | "last"
  readonly normalize: boolean
  readonly prefix: string
  /** Tokens of a window, special tokens included; 0: what the model can take. */
  readonly maxTokens: number
  readonly threads: number
  readonly batchSize: number
  readonly cacheDirectory: string
}

/** What is wanted of some texts. */
export type Job =
  | { readonly kind: "embed"; readonly texts: readonly string[] }
  | { readonly kind: "tokens"; readonly texts: readonly string[]; readonly layer: number | null }
  | { readonly kind: "tokenize"; readonly texts: readonly string[] }

/** What the worker answers a job with. */
export interface JobResults {
  readonly embed: readonly Float32Array[]
  readonly tokens: readonly TokenEmbeddings[]
  readonly tokenize: readonly (readonly string[])[]
}
