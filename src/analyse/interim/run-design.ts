import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { askedOrder } from "../../run/plan.ts"
import { type AskedRun, type SplitStore, sampleSplits } from "../summary/sample-splits.ts"
import { betSamples } from "./bet-samples.ts"
import type { RunDesign } from "./reading.ts"
import { stoppingRecord } from "./stopped-early.ts"

/**
 * How a run was, and may be, read, from what is stored with it: the looks of `--until decided`, or the readings of a run that
 * asked a part of its data set. Null for a run that is read once.
 */
export function runDesign(
  store: Pick<RunStore, "events" | "sampleIds" | "splitSamples">,
  run: Pick<RunRecord, "id" | "seed" | "dataset" | "extension">,
): RunDesign | null {
  const stopping = stoppingRecord(store, run.id)
  const ids = () => Array.from(store.sampleIds(run.dataset.fingerprint))
  if (stopping) {
    const { looks, at } = stopping
    const order = askedOrder(ids(), run.seed)
    const bets = betSamples(order, clustersOf(store, run), run.seed)
    return { kind: "looks", order, samples: looks, at, bets }
  }
  const more = run.dataset.isPart ?? false
  const before = run.extension?.samples ?? []
  if (!more && before.length === 0) return null
  const all = ids()
  const ends = [...before, all.length]
  return { kind: "stages", samples: ends.map((end, i) => new Set(all.slice(i === 0 ? 0 : ends[i - 1], end))), more }
}

/** Cluster by sample id, of the samples that have one. */
export function clustersOf(store: SplitStore, run: AskedRun): ReadonlyMap<string, string> {
  const clusters = new Map<string, string>()
  for (const [sampleId, { cluster }] of sampleSplits(store, run))
    if (cluster !== undefined) clusters.set(sampleId, cluster)
  return clusters
}
