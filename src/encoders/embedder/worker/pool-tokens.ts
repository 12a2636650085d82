import type { TokenEmbeddings } from "../../../core/metric/embedder.ts"
import type { EncoderSettings } from "./messages.ts"

/** One vector of a text's token vectors: their mean (special tokens included, as sentence-transformers does), the first or the last. */
export function poolTokens(
  { vectors, dimension, tokens }: TokenEmbeddings,
  { pooling, normalize }: Pick<EncoderSettings, "pooling" | "normalize">,
): Float32Array {
  const pooled = pooling === "mean" ? mean(vectors, dimension, tokens.length) : row(vectors, dimension, pooling)
  if (!normalize) return pooled
  const length = Math.sqrt(pooled.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? pooled : pooled.map((value) => value / length)
}

function mean(vectors: Float32Array, dimension: number, count: number): Float32Array {
  const sums = new Float64Array(dimension)
  for (let i = 0; i < vectors.length; i++)
    sums[i % dimension] = (sums[i % dimension] as number) + (vectors[i] as number)
  return Float32Array.from(sums, (sum) => sum / Math.max(1, count))
}

function row(vectors: Float32Array, dimension: number, which: "cls" | "last"): Float32Array {
  const start = which === "cls" ? 0 : Math.max(0, vectors.length - dimension)
  return vectors.slice(start, start + dimension)
}
