/** Who writes to which run of a store. */
export interface RunLocks {
  /** Whether a process writes to the run now. */
  isWritten(runId: string): boolean
  /**
   * From here on only this process writes to the run, until it is released or the store is closed. Taken twice, it is held once.
   * @throws {UsageError} `store_locked` when another process does
   */
  take(runId: string): void
  release(runId: string): void
  /** Whether nobody else writes to this store, nor begins to before the transaction ends. */
  isAlone(): boolean
}
