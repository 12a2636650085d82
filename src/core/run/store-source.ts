import type { RunStore } from "./run-store.ts"

/** A store that a config can name; opened by who needs it. @experimental */
export interface StoreSource {
  /** Where it is, without anything secret. */
  readonly location: string
  /**
   * @param options `readonly`: nothing is written, but for the schema of a store that an older evalkit wrote; `reconnects`: a connection
   * that is lost is made again, by the statement after the one that lost it
   * @throws {UsageError} when it cannot be opened
   */
  open(options?: { readonly readonly?: boolean; readonly reconnects?: boolean }): RunStore
}
