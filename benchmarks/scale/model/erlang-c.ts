/**
 * Erlang's C formula: the share of arrivals that wait before one of several equal servers is free (M/M/c).
 *
 * @param servers at least 1
 * @param load servers that are busy on average, below `servers`; 1 where it is not below
 * @returns between 0 and 1
 * @see A. K. Erlang, "Solution of some problems in the theory of probabilities", 1917
 * @example erlangC(1, 0.8) // 0.8
 */
export function erlangC(servers: number, load: number): number {
  if (load >= servers) return 1
  // Erlang's B by its recursion: no factorial overflows.
  let blocked = 1
  for (let n = 1; n <= servers; n++) blocked = (load * blocked) / (n + load * blocked)
  return blocked / (1 - (load / servers) * (1 - blocked))
}

/**
 * Mean wait of an arrival before one of several equal servers (M/M/c).
 *
 * @param perMs arrivals a millisecond
 * @param serviceMs mean time of service
 * @returns milliseconds; infinite where the servers cannot keep up
 */
export function meanWaitMs(servers: number, perMs: number, serviceMs: number): number {
  const load = perMs * serviceMs
  if (load === 0) return 0
  return load >= servers ? Number.POSITIVE_INFINITY : (erlangC(servers, load) * serviceMs) / (servers - load)
}
