import { createRandom } from "../../core/random.ts"

/** Samples that stand for their clusters in a bound by betting, in the order in which they are asked. @experimental */
export interface BetSamples {
  readonly samples: readonly BetSample[]
  /** Samples of the largest cluster. */
  readonly largest: number
}

/** One sample, with the number of samples in its cluster. @experimental */
export interface BetSample {
  readonly sampleId: string
  readonly size: number
}

/**
 * One sample of each cluster, in an order of the clusters that does not depend on their sizes, as a bound that may be read at any
 * time needs it: were it the first of each that is asked, the last clusters to appear would be the small ones, and no fair
 * sample. As many samples of every cluster as the smallest has are drawn by the seed; the first of these that is asked
 * stands for the cluster, and counts as often as the cluster has samples. Without clusters that is every sample once.
 *
 * @param order sample ids of the whole data set in the order in which they are asked
 * @param clusterOf cluster by sample id, where there is one
 */
export function betSamples(order: readonly string[], clusterOf: ReadonlyMap<string, string>, seed: number): BetSamples {
  if (clusterOf.size === 0) return { samples: order.map((sampleId) => ({ sampleId, size: 1 })), largest: 1 }
  const members = new Map<string, string[]>()
  const alone: string[] = []
  // By id, so that who stands for a cluster does not depend on the order in which they are asked.
  for (const sampleId of [...order].sort()) {
    const cluster = clusterOf.get(sampleId)
    if (cluster === undefined) alone.push(sampleId)
    else if (members.has(cluster)) members.get(cluster)?.push(sampleId)
    else members.set(cluster, [sampleId])
  }
  const sizes = [...members.values()].map(({ length }) => length)
  const minimum = alone.length > 0 ? 1 : Math.min(...sizes)
  const random = createRandom(`${seed}/bets`)
  const drawn = new Set(alone)
  for (const ids of members.values()) for (const id of random.shuffle(ids).slice(0, minimum)) drawn.add(id)
  const met = new Set<string>()
  const samples: BetSample[] = []
  for (const sampleId of order) {
    const cluster = clusterOf.get(sampleId)
    if (!drawn.has(sampleId) || (cluster !== undefined && met.has(cluster))) continue
    if (cluster !== undefined) met.add(cluster)
    samples.push({ sampleId, size: cluster === undefined ? 1 : (members.get(cluster) as string[]).length })
  }
  return { samples, largest: sizes.reduce((max, size) => Math.max(max, size), 1) }
}
