import { UsageError } from "../../core/errors.ts"
import type { Arrivals } from "./arrivals.ts"
import { type OpenLoop, offeredRate } from "./load-plan.ts"

/** A worker's part of an open loop: the `number`-th (from 1) of `of` parts. */
export interface LoadShard {
  readonly number: number
  readonly of: number
}

/** Place in the whole plan of the n-th request of a part: the parts take the arrivals of one stream in turn. */
export function placeInPlan({ number, of }: LoadShard, index: number): number {
  return index * of + number - 1
}

/**
 * The part of an open loop that one of several workers sends. The moments stay those of the whole plan, so that the parts together are
 * the very stream that one process would send.
 *
 * @throws UsageError where a part would be empty, or the stream has no rate
 * @example shardOfPlan({ kind: "open", arrivals: [0, 5, 9], description: "" }, { number: 2, of: 2 }).arrivals // [5]
 */
export function shardOfPlan(plan: OpenLoop, shard: LoadShard): OpenLoop {
  const { arrivals, description } = plan
  if (arrivals.length < shard.of || offeredRate(arrivals) === null)
    throw new UsageError("a plan cannot be shared by more workers than it has requests", {
      where: `${arrivals.length} requests, ${shard.of} workers`,
      hint: "ask for more with --requests or --duration",
    })
  return {
    ...plan,
    arrivals: arrivals.filter((_, index) => index % shard.of === shard.number - 1),
    description: `${description}, part ${shard.number} of ${shard.of}`,
    isPart: true,
  }
}

/** The stream that these parts were taken from, in the order of their numbers; null where they do not fit together. */
export function joinedArrivals(parts: readonly ArrayLike<number>[]): Arrivals | null {
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const joined = Float64Array.from({ length: total }, (_, index) => {
    return parts[index % parts.length]?.[Math.floor(index / parts.length)] ?? Number.NaN
  })
  return joined.every((atMs, index) => atMs >= (joined[index - 1] ?? 0)) ? joined : null
}

/** Mean time between two requests of one of `of` workers, in milliseconds; null where the stream has no rate. */
export function workerGapMs(arrivals: Arrivals, of: number): number | null {
  const rate = offeredRate(arrivals)
  return rate === null ? null : (1000 * of) / rate
}
