/** How much of the traffic a sample stands for. */
export interface TrafficCoverage {
  /** Calls of the log, and of the sample. */
  readonly calls: number
  readonly sampled: number
  /** Calls that ask what another asks. */
  readonly repeated: number
  /** Clusters of the traffic, and those with a call in the sample. */
  readonly clusters: number
  readonly coveredClusters: number
  /** Shares, from 0 to 1, of the calls and of the known cost that are of covered clusters; null where no cost is known. */
  readonly callShare: number
  readonly costShare: number | null
}
