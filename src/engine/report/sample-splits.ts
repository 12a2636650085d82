import type { RunStore } from "../../core/run/run-store.ts"
import { type SampleSplit, splitOf } from "../../core/sample.ts"

/** What figures are split by, by sample id. */
export type SampleSplits = ReadonlyMap<string, SampleSplit>

/** The group and the cluster of every sample of a data set that has one of them. */
export function sampleSplits(store: Pick<RunStore, "splitSamples">, dataset: string): SampleSplits {
  const splits = new Map<string, SampleSplit>()
  for (const sample of store.splitSamples(dataset)) {
    const split = splitOf(sample)
    if (Object.keys(split).length > 0) splits.set(sample.id, split)
  }
  return splits
}

/** The splits of a data set, by its fingerprint. */
export type SplitsReader = (dataset: string) => SampleSplits

/** Reads each data set once, however many variants were asked it. */
export function splitsReader(store: Pick<RunStore, "splitSamples">): SplitsReader {
  const read = new Map<string, SampleSplits>()
  return (dataset) => {
    const splits = read.get(dataset) ?? sampleSplits(store, dataset)
    read.set(dataset, splits)
    return splits
  }
}
