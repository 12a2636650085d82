import type { CallFilter, Plan } from "../../run/plan.ts"
import type { RunStage } from "../../run/run-stage.ts"
import type { Slices } from "./slices.ts"

/** How many samples of the order each variant is asked: what is wanted begins with the first. */
export function wantedSamples(
  plan: Plan,
  variants: readonly string[],
  filter?: CallFilter,
): ReadonlyMap<string, number> {
  const samplesOf = (variant: string): number => {
    if (!filter) return plan.order.length
    const end = plan.order.findIndex((sampleId, order) => !filter({ position: 0, order, variant, sampleId, repeat: 0 }))
    return end < 0 ? plan.order.length : end
  }
  return new Map(variants.map((variant) => [variant, samplesOf(variant)]))
}

/**
 * Slices in which a wanted call has no answer.
 *
 * @param scored also those in which an answer has fewer rows than there are metrics
 */
export function missingSlices(
  { store, record, evaluation }: RunStage,
  plan: Plan,
  slices: Slices,
  counts: ReadonlyMap<string, number>,
  scored = false,
): number[] {
  const order = new Map(plan.order.map((id, i) => [id, i]))
  const isWanted = (variant: string, at: number): boolean => at < (counts.get(variant) ?? 0)
  const answersTo = new Map<string, number>()
  const left = Array.from({ length: slices.count }, () => 0)
  for (const samples of counts.values())
    for (let at = 0; at < samples; at++) left[Math.floor(at / slices.samples)]! += evaluation.repeats
  for (const { variant, sampleId } of store.finished(record.id)) {
    const at = order.get(sampleId)
    if (at === undefined) continue
    answersTo.set(sampleId, (answersTo.get(sampleId) ?? 0) + 1)
    if (isWanted(variant, at)) left[Math.floor(at / slices.samples)]!--
  }
  if (scored && evaluation.metrics.length > 0) {
    const rows = store.countRows(record.id)
    for (const [sampleId, answers] of answersTo)
      if ((rows.get(sampleId) ?? 0) < answers * evaluation.metrics.length)
        left[Math.floor(order.get(sampleId)! / slices.samples)]!++
  }
  return left.flatMap((missing, slice) => (missing > 0 ? [slice] : []))
}
