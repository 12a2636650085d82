import type { RunStore } from "../../../core/run/run-store.ts"

/** Writes what comes together in one transaction. */
export interface GroupCommit {
  /** Resolves once what `write` wrote is on disk; rejects with what it threw, which takes nothing of the others with it. */
  save(write: () => void): Promise<void>
}

/**
 * A {@link GroupCommit} of a store: what is to be saved in one turn of the event loop shares a transaction. Nobody waits for others
 * that are not there yet, so a slow run has a transaction an answer, and a fast one a transaction for all that are in flight.
 */
export function createGroupCommit(store: Pick<RunStore, "atomically">): GroupCommit {
  let waiting: Waiting[] = []
  const flush = (): void => {
    const group = waiting
    waiting = []
    const failures = new Map<Waiting, unknown>()
    try {
      store.atomically(() => {
        for (const one of group)
          try {
            one.write()
          } catch (error) {
            failures.set(one, error)
          }
      })
    } catch (error) {
      // None of it was written, as on a full disk, of which the first to fail says more than the transaction that it ended.
      const [first = error] = failures.values()
      for (const { reject } of group) reject(first)
      return
    }
    for (const one of group) failures.has(one) ? one.reject(failures.get(one)) : one.resolve()
  }
  return {
    save: (write) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ write, resolve, reject }) === 1) setImmediate(flush)
      }),
  }
}

interface Waiting {
  write(): void
  resolve(): void
  reject(error: unknown): void
}
