/** Small-sample corrections of a cluster-robust variance, named as in clubSandwich. @public */
export type ClusterCorrection = "CR0" | "CR1" | "CR2" | "CR3"

/** A mean with an error that allows for clusters, and the facts that say how far it can be trusted. @public */
export interface ClusterRobustMean {
  readonly mean: number
  readonly error: number
  /** Satterthwaite's degrees of freedom under independence as working model; about 1 when one cluster carries most. */
  readonly degrees: number
  readonly n: number
  readonly clusters: number
  /** (Σ n_j)² / Σ n_j² (Kish): as many clusters of equal size would weigh the same. */
  readonly effectiveClusters: number
  /** Share of the values that lie in the largest cluster, 0..1. */
  readonly largestShare: number
}

/**
 * Standard error of a mean over clusters with Satterthwaite's degrees of freedom. CR2 (the default) is unbiased when values
 * are independent, for any sizes of the clusters: Σ S_j² / (1 − n_j/n) / n², S_j the sum of a cluster's deviations. Bell &
 * McCaffrey 2002; Pustejovsky & Tipton 2018; equal to R's clubSandwich. Null for fewer than two clusters.
 *
 * @param sums sum of the values of each cluster, in the order in which clusters first appear
 * @param sizes number of values in each cluster
 * @public
 */
export function clusterRobustMean(
  sums: ArrayLike<number>,
  sizes: ArrayLike<number>,
  correction: ClusterCorrection = "CR2",
): ClusterRobustMean | null {
  const clusters = sums.length
  if (clusters < 2) return null
  let total = 0
  let n = 0
  let max = 0
  for (let j = 0; j < clusters; j++) {
    total += sums[j] as number
    n += sizes[j] as number
    max = Math.max(max, sizes[j] as number)
  }
  const mean = total / n
  let squares = 0
  let shares = 0
  // P_jk = f_j f_k (w_j δ_jk − w_j w_k), the quadratic form's matrix: degrees = (Σ P_jj)² / ΣΣ P_jk².
  let trace = 0
  let diagonal = 0
  let cross = 0
  let crossOwn = 0
  for (let j = 0; j < clusters; j++) {
    const share = (sizes[j] as number) / n
    const factor = factorOf(correction, share)
    const deviation = (sums[j] as number) - mean * (sizes[j] as number)
    squares += (factor * deviation) ** 2
    shares += share * share
    const own = factor * factor * share * (1 - share)
    const part = (factor * share) ** 2
    trace += own
    diagonal += own * own
    cross += part
    crossOwn += part * part
  }
  if (correction === "CR1") squares *= clusters / (clusters - 1)
  return {
    mean,
    error: Math.sqrt(squares) / n,
    degrees: (trace * trace) / (diagonal + cross * cross - crossOwn),
    n,
    clusters,
    effectiveClusters: 1 / shares,
    largestShare: max / n,
  }
}

function factorOf(correction: ClusterCorrection, share: number): number {
  if (correction === "CR2") return 1 / Math.sqrt(1 - share)
  return correction === "CR3" ? 1 / (1 - share) : 1
}
