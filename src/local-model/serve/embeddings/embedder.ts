import type { LlamaEmbeddingContext, LlamaModel, Token } from "node-llama-cpp"
import type { Rounds } from "../evaluate/rounds.ts"

/** Embeds texts with the model that is served. */
export interface Embedder {
  /** Tokens as the model reads them: with its start and its end where it wants them. */
  tokensOf(input: string | readonly number[]): Promise<Token[]>
  /** The vector of these tokens, of length 1. */
  embed(tokens: readonly Token[]): Promise<Float64Array>
}

/** What an embedder is made of. */
export interface EmbedderOptions {
  readonly model: LlamaModel
  readonly rounds: Rounds
  readonly contextSize: number
  readonly threads: number
}

/**
 * An embedder over a context of its own, which is made for the first request that needs it: who never asks for a vector pays no memory.
 * Pooling is what the file states; without such a statement (a model that writes) the vector is the state behind the last token.
 */
export function createEmbedder({ model, rounds, contextSize, threads }: EmbedderOptions): Embedder {
  let opened: Promise<LlamaEmbeddingContext> | null = null
  const context = (): Promise<LlamaEmbeddingContext> => {
    // An encoder reads all of its text in one batch.
    opened ??= model
      .createEmbeddingContext({ contextSize, batchSize: contextSize, threads })
      .catch((error: unknown) => {
        opened = null
        throw error
      })
    return opened
  }
  return {
    async tokensOf(input) {
      const tokens = typeof input === "string" ? model.tokenize(input) : ([...input] as Token[])
      // It completes the list that it is given.
      ;(await context()).calculateInputLength(tokens)
      return tokens
    },
    async embed(tokens) {
      const embedding = await context()
      return unit((await rounds.between(() => embedding.getEmbeddingFor([...tokens]))).vector)
    },
  }
}

function unit(vector: readonly number[]): Float64Array {
  const length = Math.hypot(...vector)
  return Float64Array.from(vector, (value) => (length > 0 ? value / length : value))
}
