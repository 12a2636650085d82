/** Where customers of a closed network spend their time. */
export interface Station {
  readonly name: string
  /** `queue`: one server, first come first served; `delay`: nobody waits for another. */
  readonly kind: "queue" | "delay"
  /** Mean time of service of one round, in milliseconds. */
  readonly demandMs: number
}

/** The network in balance. */
export interface Balance {
  /** Rounds a millisecond, all customers together. */
  readonly perMs: number
  /** Mean time of a round at each station, waiting included, in milliseconds. */
  readonly residenceMs: readonly number[]
}

/**
 * Exact mean value analysis of a closed network with one class of customers and a product form: exponential times at queues, any at
 * delays.
 *
 * @param customers how many go round, at least 1
 * @see Reiser & Lavenberg, "Mean-value analysis of closed multichain queuing networks", Journal of the ACM 27(2), 1980
 */
export function meanValueAnalysis(stations: readonly Station[], customers: number): Balance {
  let lengths = stations.map(() => 0)
  let residenceMs = stations.map(({ demandMs }) => demandMs)
  let perMs = 0
  for (let n = 1; n <= customers; n++) {
    // An arrival sees what the network with one customer less has on average.
    residenceMs = stations.map(({ kind, demandMs }, i) => demandMs * (kind === "queue" ? 1 + (lengths[i] ?? 0) : 1))
    perMs = n / residenceMs.reduce((sum, ms) => sum + ms, 0)
    lengths = residenceMs.map((ms) => ms * perMs)
  }
  return { perMs, residenceMs }
}
