import type { Turns } from "../../core/interruption.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { collectGarbage } from "../../platform/collect-garbage.ts"
import { AnswerList } from "../../rows/columns/answer-list.ts"
import { columnBuilder, type MetricColumn } from "../../rows/columns/column-rows.ts"
import type { SharedAnswers } from "../../rows/columns/shared-answers.ts"
import type { CountTokens } from "../../text/o200k.ts"
import { type GatheredAnswers, gatherAnswers } from "./gather-answers.ts"
import type { VariantTask } from "./variant-task.ts"

/** What a variant is measured with. */
export interface MeasureSource {
  readonly store: Pick<RunStore, "rows" | "generations" | "attempts">
  /** The keys of answers to the run's data set, which all variants share. */
  readonly answers: SharedAnswers
  /** Counts o200k tokens of a text. */
  readonly countTokens: CountTokens
  /** Called between two steps: gives way, or ends the work. */
  readonly turn: Turns
}

/** What is read of a variant, once: the rows of its metrics, and what its answers say. */
export interface VariantMeasures extends GatheredAnswers {
  /** A column a metric, in the task's order. */
  readonly columns: readonly MetricColumn[]
}

/** Reads a variant's answers and rows once, as a stream. */
export async function measureVariant(task: VariantTask, source: MeasureSource): Promise<VariantMeasures> {
  const read = new Map<string, MetricColumn>()
  const columnOf = async (metric: string): Promise<MetricColumn> => {
    const existing = read.get(metric) ?? (await readColumn(metric, task, source))
    read.set(metric, existing)
    return existing
  }
  const [first] = task.metrics
  const { answers: keys } = first === undefined ? { answers: noAnswers } : await columnOf(first)
  const correctness = correctValues(task.correctBy === null ? null : await columnOf(task.correctBy))
  const gathered = await gatherAnswers(task, { ...source, keys, correctness })
  // What was gathered of a million answers is as large as the rows of all metrics, and is not needed beside them.
  collectGarbage()
  const columns: MetricColumn[] = []
  for (const metric of task.metrics) columns.push(await columnOf(metric))
  return { ...gathered, columns }
}

const noAnswers = new AnswerList({ ids: [], repeats: null, splitAt: null })

async function readColumn(
  metric: string,
  { runId, variant }: VariantTask,
  { store, answers, turn }: MeasureSource,
): Promise<MetricColumn> {
  const column = columnBuilder(answers.begin("rows"))
  for (const { sampleId, repeat, value, measured } of store.rows(runId, variant, metric)) {
    const wait = turn()
    if (wait) await wait
    column.add(sampleId, repeat, value, measured)
  }
  return column.column()
}

/** The metric's value of an answer: what "per correct answer" counts. */
function correctValues(column: MetricColumn | null): (sampleId: string, repeat: number) => number | null {
  if (column === null) return () => null
  const { answers, values } = column
  return (sampleId, repeat) => {
    const value = values[answers.find(sampleId, repeat)] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  }
}
