import type { Figure } from "../../core/report/figure.ts"
import type { Capacity } from "./capacity.ts"

/**
 * How a setting of a server ended:
 * - `kept`: it keeps the objectives up to its capacity;
 * - `beaten`: it misses them at a rate that another setting of the same cost carries; nothing else of it was measured;
 * - `missed`: it keeps them at no load that was measured;
 * - `unmeasured`: no load was answered well enough to say;
 * - `failed`: its server did not start.
 * @experimental
 */
export type SettingState = "kept" | "beaten" | "missed" | "unmeasured" | "failed"

/** One variant of a search over settings. @experimental */
export interface Setting {
  readonly variant: string
  readonly state: SettingState
  /** Why its server did not start; null where it did. */
  readonly failure: string | null
  /** Null unless it kept the objectives. */
  readonly capacity: Capacity | null
  /** US dollars for a thousand answers at its capacity, where its hardware has a price; the interval is that of the capacity. */
  readonly perThousandUsd: Figure
  /** Most memory that its processes, or its GPUs where they are known, held at once. */
  readonly memoryBytes: number | null
  /** No other setting is as good in throughput, p95 of TTFT and TPOT, dollars and quality, and better in one of them. */
  readonly isOnFrontier: boolean
}

/** Which setting to take. @experimental */
export interface Choice {
  /** Those that keep the objectives, the cheapest first; then the others, in the order in which they were measured. */
  readonly settings: readonly Setting[]
  /** What the cheapest is chosen by: dollars where all that kept the objectives have a price, else requests a second. */
  readonly by: "usd" | "requests"
  /**
   * The cheapest of those that keep the objectives and whose quality is not below that of the best beyond both intervals; null: none does.
   */
  readonly cheapest: Setting | null
  /** Others whose interval reaches that of the cheapest: another measurement may turn their order. */
  readonly ties: readonly Setting[]
  /** Cheaper ones that were left out, because their quality is below the best one's beyond both intervals. */
  readonly worse: readonly Setting[]
}
