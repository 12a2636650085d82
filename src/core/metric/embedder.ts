import type { Metered } from "./metered.ts"
import type { OpenOptions } from "./used-model.ts"

/** Contextual token embeddings of one text, one layer. @public */
export interface TokenEmbeddings {
  readonly tokens: readonly string[]
  /** tokens.length × dimension, row-major. */
  readonly vectors: Float32Array
  readonly dimension: number
  /** 1 where the token is special ([CLS], [SEP] …), else 0. */
  readonly special: Uint8Array
}

/** Turns texts into vectors. Opened lazily on first use. @public */
export interface Embedder extends Partial<Metered> {
  /** Model, precision and pooling: part of every signature and cache key. */
  readonly identity: string
  readonly dimension?: number
  /** Layer whose token embeddings agree best with people's ratings, where that is known: BERTScore's default. */
  readonly bertScoreLayer?: number
  /** One vector per text, in order. Throws {@link MissingPackageError} when the model is not available. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
  /**
   * Token embeddings of a layer (counted as bert_score does: 0 is the embedding layer; `null` the last one); absent where
   * the endpoint cannot.
   */
  embedTokens?(
    texts: readonly string[],
    layer: number | null,
    signal?: AbortSignal,
  ): Promise<readonly TokenEmbeddings[]>
  /** The tokens of each text, special tokens included; absent where the endpoint cannot. */
  tokenize?(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly string[])[]>
  /** Gets ready without reading a text: a run calls it before it asks anything. Throws where weights or packages are missing. */
  open?(signal: AbortSignal, options?: OpenOptions): Promise<void>
  /** Releases the model. An embedder that is used again afterwards opens it again. */
  close(): Promise<void>
}

/**
 * Identity of the embedder that a run supplies to metrics without one of their own: {@link MetricTools.defaultEmbedder}. A
 * constant, so that a metric's signature can name it before any model is opened.
 * @public
 */
export const defaultEmbedderIdentity = "all-MiniLM-L6-v2@6638f625|fp32|mean|normalized|windows:256"
