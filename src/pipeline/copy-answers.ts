import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { lostQuota } from "../core/run/stored-work.ts"
import { type Plan, plannedCalls } from "../run/plan.ts"
import { sharedAmounts } from "./distribute/shared-budget.ts"
import { answersOnRecord } from "./retry-run.ts"

/** Copies the answers, their rows and what they cost into a run that extends or retries theirs: they are not asked again. In the caller's transaction. */
export function copyAnswers(store: RunStore, record: RunRecord, plan: Plan): void {
  const extended = record.extension?.of
  const sources =
    extended === undefined
      ? answersOnRecord(store, record)
      : record.variants.map(({ name }) => ({ run: extended, variant: name, name }))
  if (sources.length === 0) return
  const positions = new Map<string, number>()
  for (const { variant, sampleId, repeat, position } of plannedCalls(plan))
    positions.set(`${variant}\u0000${repeat}\u0000${sampleId}`, position)
  for (const { run, variant, name } of sources) {
    for (const generation of store.generations(run, variant)) {
      const position = positions.get(`${name}\u0000${generation.repeat}\u0000${generation.sampleId}`)
      if (position !== undefined) store.saveGeneration(record.id, { ...generation, variant: name, position })
    }
    for (const metric of record.metrics)
      store.saveRows(
        record.id,
        Array.from(store.rows(run, variant, metric.name), (row) => ({ ...row, variant: name })),
      )
    for (const call of store.modelCalls(run))
      if (call.variant === variant) store.saveModelCall(record.id, { ...call, variant: name }, null)
  }
  // What died with workers is on no other record, and may have been billed.
  if (extended !== undefined)
    for (const amount of sharedAmounts) {
      const lost = store.quota(extended, lostQuota(amount))?.used ?? 0
      if (lost > 0) store.setQuota(record.id, lostQuota(amount), 0, lost)
    }
  for (const run of new Set(sources.map((source) => source.run)))
    for (const { name } of record.metrics) {
      const maker = store.rowMaker(run, name)
      if (maker !== null) store.saveRowMaker(record.id, name, maker, false)
    }
}
