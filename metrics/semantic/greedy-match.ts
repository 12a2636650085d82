import type { TokenEmbeddings } from "../../src/core/metric/embedder.ts"

/** Precision, recall and their harmonic mean. @public */
export type MatchScores = readonly [precision: number, recall: number, f1: number]

/** A text for greedy matching: unit vectors of its tokens (row-major), and what each counts. */
export interface WeightedTokens {
  readonly vectors: Float64Array
  readonly dimension: number
  readonly weights: Float64Array
}

/**
 * BERTScore's matching: each token takes its most similar token of the other text; precision is the weighted mean over the
 * answer's tokens, recall over the reference's. Special tokens weigh 0, but may be taken. Texts without tokens of their own
 * (two special ones at most) score 0, as in bert_score.
 */
export function greedyMatch(answer: WeightedTokens, reference: WeightedTokens): MatchScores {
  const [rows, columns] = [answer.weights.length, reference.weights.length]
  if (rows <= 2 || columns <= 2) return [0, 0, 0]
  const bestOfRow = new Float64Array(rows).fill(-Infinity)
  const bestOfColumn = new Float64Array(columns).fill(-Infinity)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const similarity = product(answer, r, reference, c)
      if (similarity > (bestOfRow[r] as number)) bestOfRow[r] = similarity
      if (similarity > (bestOfColumn[c] as number)) bestOfColumn[c] = similarity
    }
  const precision = weightedMean(bestOfRow, answer.weights)
  const recall = weightedMean(bestOfColumn, reference.weights)
  const sum = precision + recall
  return [precision, recall, sum === 0 ? 0 : (2 * precision * recall) / sum]
}

/**
 * Moves scores so that unrelated texts (the baseline) lie at 0 and identical ones stay at 1.
 *
 * @example rescale([0.9, 0.9, 0.95], [0.8, 0.8, 0.83]) // [0.5, 0.5, 0.706]
 */
export function rescale(scores: MatchScores, baseline: MatchScores): MatchScores {
  const move = (i: 0 | 1 | 2) => (scores[i] - baseline[i]) / (1 - baseline[i])
  return [move(0), move(1), move(2)]
}

/** Prepares a text: unit vectors, and weights that `weightOf` gives to tokens that are not special. */
export function weightedTokens(
  { tokens, vectors, dimension, special }: TokenEmbeddings,
  weightOf: (token: string) => number = () => 1,
): WeightedTokens {
  return {
    vectors: unitRows(vectors, dimension),
    dimension,
    weights: Float64Array.from(tokens, (token, i) => (special[i] === 1 ? 0 : weightOf(token))),
  }
}

/** Rows at length 1; a zero row stays zero. */
export function unitRows(vectors: ArrayLike<number>, dimension: number): Float64Array {
  const units = Float64Array.from(vectors)
  for (let start = 0; start < units.length; start += dimension) {
    const row = units.subarray(start, start + dimension)
    let squares = 0
    for (let i = 0; i < dimension; i++) squares += (row[i] as number) ** 2
    const length = Math.sqrt(squares)
    if (length > 0) for (let i = 0; i < dimension; i++) row[i] = (row[i] as number) / length
  }
  return units
}

function product(left: WeightedTokens, l: number, right: WeightedTokens, r: number): number {
  const { dimension } = left
  const [a, b] = [l * dimension, r * dimension]
  let sum = 0
  for (let i = 0; i < dimension; i++) sum += (left.vectors[a + i] as number) * (right.vectors[b + i] as number)
  return sum
}

/** 0 where no token counts, as in bert_score. */
function weightedMean(values: Float64Array, weights: Float64Array): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < values.length; i++) {
    sum += (weights[i] as number) * (values[i] as number)
    total += weights[i] as number
  }
  return total === 0 ? 0 : sum / total
}
