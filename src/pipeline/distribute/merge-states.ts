import { canonicalJson } from "../../core/json.ts"
import type { RunEvent, VariantState } from "../../core/run/run-record.ts"
import { addResources } from "../../perf/server/add-resources.ts"
import type { RunStage } from "../../run/run-stage.ts"
import { decodeWorkerData } from "./worker-data.ts"

/** Writes down what the workers know of each variant's sessions, as if one process had had them one after the other. */
export function mergeStates({ store, record }: RunStage): void {
  const workers = store.workers(record.id).map(({ data }) => decodeWorkerData(data))
  for (const { name } of record.variants) {
    const states = workers.flatMap(({ states }) => states[name] ?? [])
    let merged: VariantState | null = null
    for (const state of states) merged = joined(merged, state)
    const failures = states.filter(({ failure }) => failure !== null)
    const failure = failures.length === states.length ? (failures[0]?.failure ?? null) : null
    const [givenUp] = states.flatMap((state) => state.givenUp ?? [])
    if (merged)
      store.saveVariantState(record.id, name, { ...merged, failure, ...(givenUp !== undefined && { givenUp }) })
  }
}

/** Keeps on record the events of workers, each once. */
export function keepEvents({ store, record, control }: RunStage): void {
  const textOf = ({ kind, data }: Pick<RunEvent, "kind" | "data">): string => canonicalJson({ kind, data })
  const texts = new Set(Array.from(store.events(record.id), textOf))
  const at = new Date(control.clock.wall()).toISOString()
  for (const event of store.workers(record.id).flatMap(({ data }) => decodeWorkerData(data).events)) {
    if (texts.has(textOf(event))) continue
    texts.add(textOf(event))
    store.saveEvent(record.id, { ...event, at })
  }
}

function joined(before: VariantState | null, state: VariantState): VariantState {
  const resources = before?.resources ?? null
  return {
    ...state,
    resources: state.resources ? addResources(resources, state.resources) : resources,
    notes: [...new Set([...(before?.notes ?? []), ...state.notes])],
  }
}
