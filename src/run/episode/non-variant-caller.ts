import { createModelCaller } from "../../calls/model-caller.ts"
import { spendNow } from "../../calls/spend-within.ts"
import type { ModelCaller } from "../../core/metric/metric-tools.ts"
import type { RunStage } from "../run-stage.ts"

/** Calls within an episode that are not the variant's: each is on record with its cost before its answer counts, and equal ones are one. */
export function nonVariantCaller(
  { evaluation, store, record, control, asking }: RunStage,
  variant: string,
): ModelCaller {
  return createModelCaller({
    evaluation,
    store,
    save: (call, answer) => store.saveModelCall(record.id, call, answer),
    variant,
    control,
    // An episode that cannot go on now stays on record, and gives its place to others.
    spender: spendNow(control.budget, control.signal),
    inFlight: control.asking,
    ...asking,
  })
}
