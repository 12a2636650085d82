import { messageOf } from "../../src/core/errors.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { parseJsonAnswer } from "../../src/text/reading/json-answer.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link taskCompletion}. @public */
export interface TaskCompletionOptions {
  readonly name?: string
  /** Part of the signature; change it with the check. Default `1`. */
  readonly version?: string
  /** The state that the answer leaves behind: replay its calls here. Default: its JSON, else its text. */
  readonly state?: (sample: Sample, generation: Generation) => JsonValue | Promise<JsonValue>
  /** Whether (or how far, 0..1) the state is the goal. */
  readonly check: (
    state: JsonValue,
    sample: Sample,
    generation: Generation,
  ) => boolean | number | Promise<boolean | number>
}

/**
 * Task completion: whether the final state passes a check, however it was reached. For a judgement in words use the judge's
 * rubric `taskCompletion`.
 *
 * Range 0..1, higher is better; the summary is the mean. Unscored: `check_failed` when the check or the replay throws or
 * gives a number outside 0..1 (a fault of the check is not a fault of the model).
 *
 * Misleads where a good end can be reached by chance: repeat each task and report {@link passHatK}. Source: success by the
 * final state as τ-bench has it (Yao et al. 2024).
 *
 * @example
 * // answer '{"booked": true}'
 * taskCompletionCheck({ check: (state) => isObject(state) && state.booked === true }) // 1
 * @public
 */
export function taskCompletionCheck(options: TaskCompletionOptions): Metric<number> {
  checkOptions("taskCompletionCheck", options)
  const { name = "taskCompletion", version = "1", check, state = answerState } = options
  return meanMetric({
    name,
    signature: signature("taskCompletion", { check: version }),
    unit: "share",
    async measure(sample, generation) {
      try {
        const result = Number(await check(await state(sample, generation), sample, generation))
        return result >= 0 && result <= 1 ? result : unscored("check_failed", `it gave ${result}, which is not in 0..1`)
      } catch (error) {
        return unscored("check_failed", `${messageOf(error).slice(0, 200)}`)
      }
    },
  })
}

function answerState(_sample: Sample, { text }: Generation): JsonValue {
  return parseJsonAnswer(text) ?? text
}
