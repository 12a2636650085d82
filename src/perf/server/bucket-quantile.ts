import { type Figure, unknown } from "../../core/report/figure.ts"
import { serverMethods, serverReasons, serverWarnings } from "../../words/perf/server.ts"

/**
 * A percentile by a histogram's buckets: it lies between the edges of one of them, which is its interval; the value in between is taken in
 * proportion. Nothing is known above the last edge.
 *
 * @param buckets by the upper edge in milliseconds: how many took that long at most, in order of the edges
 * @param share 0.5 is the median
 * @example bucketQuantile(new Map([[100, 1], [200, 3], [Infinity, 4]]), 0.5, "vLLM") // 150, between 100 and 200
 */
export function bucketQuantile(buckets: ReadonlyMap<number, number>, share: number, dialect: string): Figure {
  const total = Math.max(0, ...buckets.values())
  if (total === 0) return unknown(serverReasons.noneEnded)
  const rank = share * total
  let [lowerEdge, below] = [0, 0]
  for (const [edge, upTo] of buckets) {
    if (upTo >= rank && upTo > below) {
      const method = serverMethods.bucket(dialect)
      const known = { status: "known", n: Math.round(total), method, by: "server", low: lowerEdge } as const
      return edge === Number.POSITIVE_INFINITY
        ? { ...known, value: lowerEdge, high: null, warning: serverWarnings.aboveLastEdge }
        : { ...known, value: lowerEdge + ((edge - lowerEdge) * (rank - below)) / (upTo - below), high: edge }
    }
    ;[lowerEdge, below] = [edge, upTo]
  }
  return unknown(serverReasons.unsoundBuckets)
}
