/** How a level kept its objectives over time. @experimental */
export interface Attainment {
  /** Share of the requests that were answered and met every objective, once the load had settled. */
  readonly share: number
  /** Requests that the share is taken over. */
  readonly n: number
  /**
   * As many independent requests as would give a share this sure: requests that follow each other in a queue wait together,
   * so that a hundred of them say less than a hundred.
   */
  readonly effectiveN: number
  /** Whether waits grew all the way through the level: then no rate that high can be kept up. */
  readonly queueGrows: boolean
}

/** One request of a level, in milliseconds of its block. @experimental */
export interface TimedRequest {
  /** Part of the level; each has a clock of its own. */
  readonly block: number
  readonly scheduledMs: number
  readonly endMs: number
  readonly met: boolean
}

/** Share of a level's time that passes before it counts: a load that starts on an idle server flatters it. */
const settling = 0.15
const batches = 20

/** How many of the first requests do not count. */
export function settledFrom(requests: number): number {
  return Math.floor(requests * settling)
}

/**
 * The share of requests that met their objectives, with its effective sample size by the method of batch means (Law and
 * Kelton), and whether the queue grew (a straight line through the batch means of the time from intent to end, at 0.5 %).
 *
 * @param requests in the order in which they were due
 * @returns null for fewer than 20 requests: they cannot be distinguished from chance
 */
export function attainmentOf(requests: readonly TimedRequest[]): Attainment | null {
  const kept = requests.slice(settledFrom(requests.length))
  if (kept.length < batches) return null
  const shares: number[] = []
  const waits: number[] = []
  for (let batch = 0; batch < batches; batch++) {
    const part = kept.slice(
      Math.floor((batch * kept.length) / batches),
      Math.floor(((batch + 1) * kept.length) / batches),
    )
    shares.push(part.filter(({ met }) => met).length / part.length)
    waits.push(part.reduce((sum, { scheduledMs, endMs }) => sum + endMs - scheduledMs, 0) / part.length)
  }
  const share = kept.filter(({ met }) => met).length / kept.length
  const n = kept.length
  const centre = shares.reduce((sum, value) => sum + value, 0) / batches
  const variance = shares.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (batches - 1)
  const independent = (share * (1 - share)) / (n / batches)
  const effectiveN = independent > 0 && variance > independent ? (n * independent) / variance : n
  return { share, n, effectiveN: Math.max(2, effectiveN), queueGrows: grows(waits) }
}

/** 0.995 quantile of Student's t with 18 degrees of freedom. */
const steepSlope = 2.878

/** Whether values rise in a line: a slope that chance does not explain, and at least half as much again at the end. */
function grows(values: readonly number[]): boolean {
  const n = values.length
  const meanX = (n - 1) / 2
  const meanY = values.reduce((sum, value) => sum + value, 0) / n
  let xx = 0
  let xy = 0
  for (const [x, y] of values.entries()) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (y - meanY)
  }
  const slope = xy / xx
  let rest = 0
  for (const [x, y] of values.entries()) rest += (y - meanY - slope * (x - meanX)) ** 2
  const error = Math.sqrt(rest / (n - 2) / xx)
  const [start, end] = [meanY - slope * meanX, meanY + slope * meanX]
  return slope > steepSlope * error && end > 1.5 * Math.max(start, 0)
}
