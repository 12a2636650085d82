import { type StoppingRecord, stoppedEarly, stoppingRecord } from "../../../src/analyse/interim/stopped-early.ts"
import { isFailure } from "../../../src/core/outcome.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import type { EvaluateResult } from "../../../src/pipeline/evaluate.ts"
import { planRun } from "../../../src/run/plan.ts"
import type { World } from "./world.ts"

/** What a run decided, and after how much: equal for equal answers, whatever happened on the way. Null where something failed for good. */
export function decisionOf({ database, evaluation }: World, { record, report, status }: EvaluateResult): string | null {
  const store = database.outside
  if (status !== "finished") return null
  for (const { name } of evaluation.variants)
    for (const { outcome } of store.generations(record.id, name)) if (isFailure(outcome)) return null
  const stopping = stoppingRecord(store, record.id)
  const { plan, extension } = record
  return JSON.stringify({
    stopping: stopping && { ...stopping, asked: [...stopping.asked], at: [...stopping.at] },
    ...{ plan, extended: extension?.samples },
    quality: report.comparisons.map(({ candidate, quality, metrics }) => ({ candidate, quality, metrics })),
  })
}

/** The store as a process has it, with an eye on each look: all that it is to see has been answered and scored. */
export function watchLooks(world: World, store: RunStore): RunStore {
  if (!world.plan.decided) return store
  const { outside } = world.database
  return {
    ...store,
    saveEvent(runId, event) {
      if (event.kind === stoppedEarly) {
        const { asked, states } = event.data as unknown as Omit<StoppingRecord, "asked"> & { asked: object }
        for (const [name, samples] of Object.entries(asked) as [string, number][]) {
          const ids = orderOf(world, outside.run(runId)!).slice(0, samples)
          const answers = outside.finishedTo(runId, name, ids).length
          const rows = [...outside.answerRows(runId, name, ids)].length
          const expected = samples * world.plan.repeats
          if (answers < expected) world.broken.push(`${name} was read after ${samples} samples with ${answers} answers`)
          if (rows < expected * world.evaluation.metrics.length)
            world.broken.push(`${name} was read after ${samples} samples with ${rows} rows`)
        }
        for (const { candidate, samples } of states)
          if (samples > ((asked as Record<string, number>)[candidate] ?? 0))
            world.broken.push(`${candidate} is said to have been read after ${samples} samples`)
      }
      return store.saveEvent(runId, event)
    },
  }
}

/** How many samples of the order each variant was to answer; null: all. */
export function samplesAsked({ database }: World, runId: string): ReadonlyMap<string, number> | null {
  return stoppingRecord(database.outside, runId)?.asked ?? null
}

/** What does not hold of the looks of a run that has ended, each in words. */
export function lookFaults(world: World, { record, status }: EvaluateResult): readonly string[] {
  const { database, evaluation, plan } = world
  const store = database.outside
  if (!plan.decided || plan.decided.stages) return []
  const broken: string[] = []
  const records = [...store.events(record.id)].flatMap(({ kind, data }) =>
    kind === stoppedEarly ? [data as unknown as Omit<StoppingRecord, "asked"> & { asked: Record<string, number> }] : [],
  )
  if (new Set(records.map(({ looks }) => looks.join())).size > 1) broken.push("its looks were planned anew")
  const last = records.at(-1)
  if (status !== "finished" || !last) return broken
  for (const { candidate, status, samples } of last.states) {
    if (status === "open" && samples < plan.samples) broken.push(`${candidate} is open after ${samples} samples`)
    if (status !== "open" && samples !== last.asked[candidate])
      broken.push(`${candidate} is ${status} after ${samples} samples, and was asked ${last.asked[candidate]}`)
  }
  // Nobody is asked beyond the look that decided.
  const order = orderOf(world, record)
  for (const { name } of evaluation.variants) {
    const asked = new Set(order.slice(0, last.asked[name]))
    const beyond = world.service.books.filter((booking) => booking.model === name && !asked.has(booking.question))
    if (beyond.length > 0) broken.push(`${name} was asked ${beyond.length} times beyond its ${asked.size} samples`)
  }
  return broken
}

function orderOf({ evaluation, database }: World, { dataset }: RunRecord): readonly string[] {
  const sampleIds = [...database.outside.sampleIds(dataset.fingerprint)]
  return planRun({ ...evaluation, sampleIds, datasetFingerprint: dataset.fingerprint }).order
}
