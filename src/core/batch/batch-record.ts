import type { BatchEnd } from "./batch-service.ts"

/** A batch as a run's store keeps it: on disk before it is sent, so that no kill can have it sent twice. @experimental */
export interface BatchRecord {
  /** What the ids of its requests begin with; unique in its run. */
  readonly tag: string
  /** The tag and a hash of all its lines: the label that it has at the service. */
  readonly key: string
  readonly variant: string
  /** Positions in the plan of the calls that it asks, in the order of its lines. */
  readonly calls: readonly number[]
  /** Parameters that its lines are without. */
  readonly withheld: readonly string[]
  readonly uploaded: string | null
  /**
   * `sending`: perhaps sent, perhaps not; `sent`: the service has it; `over`: everything that came of it is on disk; `refused`: the
   * service did not take it.
   */
  readonly state: "sending" | "sent" | "over" | "refused"
  /** ISO 8601. */
  readonly sentAt: string
  /** As the service names it; null while that is not known. */
  readonly id: string | null
  readonly end: BatchEnd | null
  /** When its results were there, as far as the run saw; ISO 8601. */
  readonly endedAt: string | null
  /** Why it was refused or failed. */
  readonly reason: string | null
}

/** Whether something may still come of a batch. */
export function isOpen({ state }: BatchRecord): boolean {
  return state === "sending" || state === "sent"
}

/** How a run asks: mostly by batch, and a part of its samples live. @experimental */
export interface BatchSettings {
  /** Share of the samples that are asked live, for their latency: the same ones of every variant. 0..1. */
  readonly liveShare: number
  /** Longest wait between two looks at a batch, in seconds. */
  readonly pollSeconds: number
}

/** Longest wait between two looks at a batch where nothing else is stated, in seconds. */
export const defaultPollSeconds = 60
