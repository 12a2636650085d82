import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import type { ForeignRow } from "../../rows/foreign-variant.ts"
import { type ForeignAnswer, type ScoredForeignAnswer, scoreForeignAnswer } from "./score-file.ts"

/**
 * Reads a row as an answer.
 * @param number place of the row in its file, from 1
 */
export type ReadAnswer = (row: ForeignRow, number: number) => ForeignAnswer

/** Rows of one file that are scored together. */
export interface RowBatch {
  readonly rows: readonly ForeignRow[]
  /** Place of the first row in its file, from 1. */
  readonly first: number
}

/** Turns rows into scored answers, in the same order. */
export interface Scorer {
  score(batch: RowBatch): Promise<readonly ScoredForeignAnswer[]>
  close(): Promise<void>
}

/** A scorer in this thread. Answers of a batch are measured side by side, so that embedders see many texts at a time. */
export function localScorer(
  metrics: readonly AnyMetric[],
  tools: Omit<MetricTools, "valueOf">,
  readAnswer: ReadAnswer,
): Scorer {
  return {
    score: ({ rows, first }) =>
      Promise.all(rows.map(async (row, i) => scoreForeignAnswer(metrics, readAnswer(row, first + i), tools))),
    close: async () => {},
  }
}
