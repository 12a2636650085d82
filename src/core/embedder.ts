/** Contextual token embeddings of one text, one layer. */
export interface TokenEmbeddings {
  readonly tokens: readonly string[]
  /** tokens.length × dimension, row-major. */
  readonly vectors: Float32Array
  readonly dimension: number
  /** 1 where the token is special ([CLS], [SEP] …), else 0. */
  readonly special: Uint8Array
}

/** Turns texts into vectors. Opened lazily on first use. */
export interface Embedder {
  /** Model, precision and pooling: part of every signature and cache key. */
  readonly identity: string
  readonly dimension?: number
  /** One vector per text, in order. Throws {@link MissingPackageError} when the model cannot be had. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
  /** Token embeddings of a layer (counted as bert_score does: 0 is the embedding layer); absent where the endpoint cannot. */
  embedTokens?(texts: readonly string[], layer: number, signal?: AbortSignal): Promise<readonly TokenEmbeddings[]>
  close(): Promise<void>
}
