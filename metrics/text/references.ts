import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { Sample } from "../../src/core/sample.ts"

/** The references of a sample, or the reason why it cannot be scored. */
export function referencesOf(sample: Sample): readonly string[] | Unscored {
  return sample.references.length > 0
    ? sample.references
    : unscored("no_reference", `the sample has no references (field \`references\` or \`reference\`)`)
}

/** Whether {@link referencesOf} gave a reason instead of references. */
export function isUnscored(value: readonly string[] | Unscored): value is Unscored {
  return "status" in value
}
