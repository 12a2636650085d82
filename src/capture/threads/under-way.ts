/** How many requests of a session are under way, counted over all of its capture threads. */
export interface UnderWay {
  begin(): void
  /** Begins one unless so many are under way; false: it did not. */
  beginBelow(max: number): boolean
  end(): void
}

/** @param shared one number, in shared memory */
export function countUnderWay(shared: Int32Array): UnderWay {
  return {
    begin: () => void Atomics.add(shared, 0, 1),
    beginBelow(max) {
      for (;;) {
        const now = Atomics.load(shared, 0)
        if (now >= max) return false
        if (Atomics.compareExchange(shared, 0, now, now + 1) === now) return true
      }
    },
    end: () => void Atomics.sub(shared, 0, 1),
  }
}
