import { isStoreBusy, isStoreLost, type RunStore } from "../core/run/run-store.ts"

/** Writes what comes together in one transaction. */
export interface GroupCommit {
  /**
   * Resolves once what `write` wrote is on disk; rejects with what it threw, which takes nothing of the others with it. What comes
   * together is written in the order of the keys.
   */
  save(write: () => void, key?: string): Promise<void>
}

/** How a {@link GroupCommit} writes. */
export interface GroupCommitOptions {
  /** How long to go on trying while the store cannot be reached, in milliseconds. Default: not at all. */
  readonly patienceMs?: number
}

/** Milliseconds between two tries to reach a store. */
const tryEveryMs = 250

/**
 * A {@link GroupCommit} of a store: what is to be saved in one turn of the event loop shares a transaction. Nobody waits for others
 * that are not there yet, so a slow run has a transaction an answer, and a fast one a transaction for all that are in flight.
 */
export function createGroupCommit(
  store: Pick<RunStore, "atomically">,
  { patienceMs = 0 }: GroupCommitOptions = {},
): GroupCommit {
  let waiting: Waiting[] = []
  const flush = (): void => {
    const group = waiting
    waiting = []
    // In one order: two processes that write the same rows do not wait for each other.
    group.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    const failures = new Map<Waiting, unknown>()
    try {
      store.atomically(() => {
        failures.clear()
        for (const entry of group)
          try {
            entry.write()
          } catch (error) {
            // The store begins the whole of it again.
            if (isStoreBusy(error)) throw error
            failures.set(entry, error)
          }
      })
    } catch (error) {
      // None of it was written, as on a full disk, of which the first to fail says more than the transaction that it ended.
      const [first = error] = failures.values()
      const mayPass = isStoreLost(first) || isStoreBusy(first)
      const recent = mayPass ? group.filter(({ sinceMs }) => performance.now() - sinceMs < patienceMs) : []
      if (recent.length === group.length && group.length > 0) {
        separately(group)
        return
      }
      for (const { reject } of group) reject(first)
      return
    }
    for (const entry of group) failures.has(entry) ? entry.reject(failures.get(entry)) : entry.resolve()
  }
  const separately = (group: readonly Waiting[]): void => {
    if (waiting.length === 0) setTimeout(flush, tryEveryMs)
    waiting.push(...group)
  }
  return {
    save: (write, key = "") =>
      new Promise((resolve, reject) => {
        if (waiting.push({ key, sinceMs: performance.now(), write, resolve, reject }) === 1) setImmediate(flush)
      }),
  }
}

interface Waiting {
  readonly key: string
  readonly sinceMs: number
  write(): void
  resolve(): void
  reject(error: unknown): void
}
