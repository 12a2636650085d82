import { messageOf } from "../../src/core/errors.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link finalState}. @public */
export interface FinalStateOptions {
  readonly name?: string
  /** Part of the signature; change it with `success`. Default `1`. */
  readonly version?: string
  /** Whether (or how far, 0..1) the state that the tools left behind is the goal. */
  readonly success: (state: JsonValue, sample: Sample) => boolean | number | Promise<boolean | number>
}

/**
 * Success of an episode by the state that its tools left behind, however the model got there and whatever it says of it. The state is the
 * one that `episode({ state })` began with, as its JSON was kept at the end; an episode that ended at its step limit is judged by it, too.
 *
 * Misleads where a good end can be reached by chance: repeat each task and report {@link passHatK}. Range 0..1, higher is better; the
 * summary is the mean. Unscored: `no_episode`, `no_state`, `check_failed` when `success` throws or gives a number outside 0..1.
 *
 * Source: success by the final state as τ-bench has it (Yao et al. 2024).
 *
 * @example
 * finalState({ success: (state, sample) => state.booked.includes(sample.metadata.flight) }) // 1 where it was booked
 * @public
 */
export function finalState(options: FinalStateOptions): Metric<number> {
  checkOptions("finalState", options)
  const { name = "finalState", version = "1", success } = options
  return meanMetric({
    name,
    signature: signature("finalState", { check: version }),
    unit: "share",
    async measure(sample, { episode }) {
      if (!episode) return unscored("no_episode", "the answer is no conversation and no loop over tools")
      if (episode.state === undefined)
        return unscored("no_state", episode.noState ?? "episode({ state }) gives it one; this one had none")
      try {
        const result = Number(await success(episode.state, sample))
        return result >= 0 && result <= 1 ? result : unscored("check_failed", `it gave ${result}, which is not in 0..1`)
      } catch (error) {
        return unscored("check_failed", messageOf(error).slice(0, 200))
      }
    },
  })
}
