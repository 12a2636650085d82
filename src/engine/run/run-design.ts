import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { RunDesign } from "../compare/reading.ts"
import { askedOrder } from "./plan.ts"
import { stoppingRecord } from "./stopped-early.ts"

/**
 * How a run was, and may be, read, from what is stored with it: the looks of `--until decided`, or the readings of a run that
 * asked a part of its data set. Null for a run that is read once.
 */
export function runDesign(
  store: Pick<RunStore, "events" | "sampleIds">,
  run: Pick<RunRecord, "id" | "seed" | "dataset" | "extension">,
): RunDesign | null {
  const stopping = stoppingRecord(store, run.id)
  const ids = () => Array.from(store.sampleIds(run.dataset.fingerprint))
  if (stopping) {
    const { looks, at } = stopping
    return { kind: "looks", order: askedOrder(ids(), run.seed), samples: looks, at }
  }
  const more = run.dataset.isPart ?? false
  const before = run.extension?.samples ?? []
  if (!more && before.length === 0) return null
  const all = ids()
  const ends = [...before, all.length]
  return { kind: "stages", samples: ends.map((end, i) => new Set(all.slice(i === 0 ? 0 : ends[i - 1], end))), more }
}
