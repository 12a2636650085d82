/** Whether any of the first k retrieved is relevant: 1 or 0. */
export function hitAt(k: number, retrieved: readonly string[], relevant: ReadonlyMap<string, number>): number {
  return Number(retrieved.slice(0, k).some((id) => relevant.has(id)))
}

/** Relevant among the first k, over k: places that nothing was retrieved for count as misses. */
export function precisionAt(k: number, retrieved: readonly string[], relevant: ReadonlyMap<string, number>): number {
  return hitCount(k, retrieved, relevant) / k
}

/** Relevant among the first k, over all relevant. */
export function recallAt(k: number, retrieved: readonly string[], relevant: ReadonlyMap<string, number>): number {
  return hitCount(k, retrieved, relevant) / relevant.size
}

/** The inverse of the rank of the first relevant; 0 when none of the first k is. */
export function reciprocalRankAt(
  k: number,
  retrieved: readonly string[],
  relevant: ReadonlyMap<string, number>,
): number {
  const index = retrieved.slice(0, k).findIndex((id) => relevant.has(id))
  return index < 0 ? 0 : 1 / (index + 1)
}

/** Precision at each relevant rank, summed, over the relevant that k places could hold. */
export function averagePrecisionAt(
  k: number,
  retrieved: readonly string[],
  relevant: ReadonlyMap<string, number>,
): number {
  let hits = 0
  let sum = 0
  for (const [rank, id] of retrieved.slice(0, k).entries()) if (relevant.has(id)) sum += ++hits / (rank + 1)
  return sum / Math.min(relevant.size, k)
}

/**
 * Normalised discounted cumulative gain: Σ gain / log2(rank + 1) over that of the best possible order. Gains as they are
 * (linear), as trec_eval and scikit-learn have them.
 */
export function ndcgAt(k: number, retrieved: readonly string[], relevant: ReadonlyMap<string, number>): number {
  const discounted = (gains: readonly number[]) =>
    gains.slice(0, k).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
  const ideal = [...relevant.values()].sort((a, b) => b - a)
  return discounted(retrieved.map((id) => relevant.get(id) ?? 0)) / discounted(ideal)
}

function hitCount(k: number, retrieved: readonly string[], relevant: ReadonlyMap<string, number>): number {
  return retrieved.slice(0, k).filter((id) => relevant.has(id)).length
}
