import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type SampleSplit, splitOf } from "../../core/sample.ts"
import { type SharedAnswers, sharedAnswers } from "../../rows/columns/shared-answers.ts"
import { questionClusters } from "../../run/repeated-questions.ts"

/** What figures are split by, by sample id. */
export type SampleSplits = ReadonlyMap<string, SampleSplit>

/** What splits are read from. */
export type SplitStore = Pick<RunStore, "splitSamples" | "events">

/** A run, and the data set that it asked. */
export interface AskedRun extends Pick<RunRecord, "id"> {
  readonly dataset: Pick<RunRecord["dataset"], "fingerprint">
}

/** The group and the cluster of every sample of a run that has one of them: its own, or the samples with the same question. */
export function sampleSplits(store: SplitStore, run: AskedRun): SampleSplits {
  const splits = new Map<string, SampleSplit>()
  for (const [id, cluster] of questionClusters(store, run)) splits.set(id, { cluster })
  for (const sample of store.splitSamples(run.dataset.fingerprint)) {
    const split = { ...splits.get(sample.id), ...splitOf(sample) }
    if (Object.keys(split).length > 0) splits.set(sample.id, split)
  }
  return splits
}

/** The answers to the samples of a run. */
export type AnswersReader = (run: AskedRun) => SharedAnswers

/** Reads the splits of each data set once, however many variants and runs were asked it. */
export function answersReader(store: SplitStore): AnswersReader {
  const read = new Map<string, SharedAnswers>()
  return (run) => {
    const { fingerprint } = run.dataset
    const answers = read.get(fingerprint) ?? sharedAnswers(sampleSplits(store, run))
    read.set(fingerprint, answers)
    return answers
  }
}
