import { contentHash } from "../../core/json.ts"
import { type LoadShard, placeInPlan } from "../../perf/load/load-shard.ts"
import type { BenchTarget } from "../measure-level.ts"
import type { LevelTarget, PlannedTarget } from "../targets.ts"

/**
 * The target as a worker asks it: its n-th request is that of its place in the whole load; warm-ups differ between workers.
 *
 * @param onOpen hears of the target as one process would ask it
 */
export function shardTarget(
  target: PlannedTarget,
  shard: LoadShard,
  onOpen: (whole: LevelTarget) => void,
): PlannedTarget {
  const moved =
    <Value>(of: (index: number) => Value) =>
    (index: number): Value =>
      of(placeInPlan(shard, index))
  return {
    ...target,
    async open() {
      const opened = await target.open()
      onOpen(opened)
      const { requestsOf, askedTokensOf } = opened
      return {
        ...opened,
        requestOf: moved((index) => opened.requestOf(index)),
        warmUpRequestOf: moved((index) => opened.warmUpRequestOf(index)),
        ...(requestsOf && { requestsOf: (load: number) => moved(requestsOf(load)) }),
        ...(askedTokensOf && { askedTokensOf: moved(askedTokensOf) }),
      } satisfies LevelTarget
    },
  }
}

/** Requests that are looked at: some prompts are long to make. */
const looked = 64

/** Fingerprint of what the first load asks: up to 64 requests, spread over the whole of it. */
export function promptsHash(
  { requestOf, requestsOf }: Pick<LevelTarget, "requestOf" | "requestsOf">,
  requests: number,
): string {
  const request: BenchTarget["requestOf"] = requestsOf?.(0) ?? requestOf
  const length = Math.min(looked, requests)
  return contentHash(Array.from({ length }, (_, i) => request(Math.floor((i * requests) / length))))
}
