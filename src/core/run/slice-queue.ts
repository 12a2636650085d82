/**
 * A part of a run's work, as it goes through a queue: ids alone. What is asked, of whom and with which key stands in the worker's own
 * config and environment.
 * @experimental
 */
export interface SliceJob {
  readonly runId: string
  /** Which slice of the run, from 0. */
  readonly slice: number
  /** Samples that a slice of this run has. */
  readonly samples: number
  /** Hash of what the run asks and measures: a worker with another one is refused. */
  readonly fingerprint: string
  /** Version of evalkit that planned the run. */
  readonly version: string
}

/** Where a coordinator puts the slices of its run, perhaps beside those of other runs. Delivery is at least once: the store says what is done. @experimental */
export interface SliceQueue {
  /** Adds slices; one that waits or is under way already stays as it is. */
  add(jobs: readonly SliceJob[]): Promise<void>
  /** Whether a slice of the run waits or is under way; slices of other runs do not count. */
  holds(runId: string): Promise<boolean>
  /** Takes the slices of the run out that are not under way; those of other runs stay. */
  clear(runId: string): Promise<void>
  close(): Promise<void>
}

/** Takes slices out of a queue, and keeps them for as long as its thread lives. */
export interface SliceConsumer {
  /** Takes no more; resolves when those under way have ended. */
  close(): Promise<void>
}

/** What to do with slices. */
export interface ConsumeOptions {
  /** Slices under way at once. */
  readonly slices: number
  /** Does a slice; one that is rejected comes again, for this worker or another. */
  work(job: SliceJob): Promise<void>
  /** Receives what went wrong with the queue itself; it goes on by itself once the queue is back. */
  onFault(message: string): void
}
