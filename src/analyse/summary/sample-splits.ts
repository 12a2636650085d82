import type { RunStore } from "../../core/run/run-store.ts"
import { type SampleSplit, splitOf } from "../../core/sample.ts"
import { type SharedAnswers, sharedAnswers } from "../../rows/columns/shared-answers.ts"

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

/** The answers to a data set, by its fingerprint. */
export type AnswersReader = (dataset: string) => SharedAnswers

/** Reads the splits of each data set once, however many variants were asked it. */
export function answersReader(store: Pick<RunStore, "splitSamples">): AnswersReader {
  const read = new Map<string, SharedAnswers>()
  return (dataset) => {
    const answers = read.get(dataset) ?? sharedAnswers(sampleSplits(store, dataset))
    read.set(dataset, answers)
    return answers
  }
}
