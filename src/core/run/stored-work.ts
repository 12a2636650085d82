import type { JsonObject } from "../json.ts"

/** A worker of a run, as the store knows it. @experimental */
export interface WorkerRecord {
  /** From 1, in the order in which they came; never given twice. */
  readonly number: number
  readonly name: string
  /** Seconds since it was last seen, by the store's clock. */
  readonly silentSeconds: number
  /** What it says of itself: plain data. */
  readonly data: JsonObject
}

/** A part of a quota that a worker may use by itself. @experimental */
export interface Lease {
  readonly quota: string
  readonly worker: number
}

/** Name of the quota that counts what died with workers, of a quota: nobody knows whether it was used. */
export function lostQuota(quota: string): string {
  return `lost ${quota}`
}

/**
 * What the workers of a run agree on through its store. All times are the store's own clock, so that clocks of machines need not
 * agree.
 * @experimental
 */
export interface StoredWork {
  /** The store's own clock: milliseconds since 1970. What clocks of machines are compared with. */
  wallMs(): number
  /** A worker begins; its number from now on. */
  registerWorker(runId: string, name: string, data: JsonObject): number
  /** The worker is alive. False where it is not enrolled. */
  heartbeat(runId: string, worker: number, data: JsonObject): boolean
  /** By number. */
  workers(runId: string): readonly WorkerRecord[]
  /**
   * The slice is the worker's from here on, until it drops it or has not been seen for so many seconds. False where another that
   * is alive has it.
   */
  claim(runId: string, slice: number, worker: number, aliveSeconds: number): boolean
  /** How many slices are some worker's, alive or not. */
  claims(runId: string): number
  /**
   * The question with this key is the worker's to ask, until it says that it has asked or has not been seen for so many seconds. False
   * where another that is alive asks it: its answer will be in the store.
   */
  claimQuestion(runId: string, key: string, worker: number, aliveSeconds: number): boolean
  /** The worker asks it no more. */
  releaseQuestion(runId: string, key: string, worker: number): void
  /** Slices whose workers were not seen for so many seconds. */
  orphans(runId: string, aliveSeconds: number): readonly number[]
  /** Whether the slice is still the worker's. */
  hasClaim(runId: string, slice: number, worker: number): boolean
  /** Ends a claim. */
  releaseClaim(runId: string, slice: number, worker: number): void
  /** Sets how much of something all workers together may use: a limit, and what was used before. Where it is there, no less is used than before. */
  setQuota(runId: string, name: string, max: number, used: number): void
  /** How much of a quota is used or leased; null where there is none. */
  quota(runId: string, name: string): { readonly most: number; readonly used: number } | null
  /**
   * Adds to a lease what the quota has left: all of `amount`, or nothing and false.
   *
   * @param atRisk what its worker may have in flight
   * @param statement the worker's own number of it, each greater than the one before: sent again with the same number, it is not carried out again
   */
  lease(runId: string, lease: Lease, amount: number, atRisk: number, statement: number): boolean
  /** Makes a lease exactly so much, where the quota has room for it: said twice, it is the same. Nothing of it is settled. */
  hold(runId: string, lease: Lease, amount: number): boolean
  /** Of what is leased and not settled only so much is kept, and the rest goes back: said twice, it is the same. */
  keepOpen(runId: string, lease: Lease, open: number): void
  /** What was set aside for something turned out to be so much. A lease that was taken away has counted it already. `statement`: as of {@link lease}. */
  settle(runId: string, lease: Lease, aside: number, used: number, statement: number): void
  /** So much of a quota was used without a lease: what a service did by itself, or bills in its own way. `statement`: as of {@link lease}. */
  charge(runId: string, lease: Lease, amount: number, statement: number): void
  /**
   * Takes back the leases of workers that were not seen for so many seconds, but for what they may have had in flight: nobody knows
   * whether that was billed, and it counts as used.
   */
  reclaim(runId: string, deadSeconds: number): void
  /** Nothing of this name may start for so many seconds: what an endpoint asked for. A longer pause that holds stays. */
  pause(runId: string, name: string, seconds: number): void
  /** Takes `count` places in a line that moves `perMinute` a minute; seconds until the first of them may start. */
  reserveSlot(runId: string, name: string, count: number, perMinute: number): number
  /** Seconds that each pause still lasts, by name. */
  pauses(runId: string): ReadonlyMap<string, number>
}
