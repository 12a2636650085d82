import type { Generation } from "../core/generation.ts"
import { createTurns } from "../core/interruption.ts"
import { type AnyMetric, unscored } from "../core/metric/metric.ts"
import type { MetricTools, OtherAnswers } from "../core/metric/metric-tools.ts"
import type { Outcome } from "../core/outcome.ts"
import { answerKey } from "../core/run/answer-key.ts"
import type { CallKey, RunStore, StoredRow } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"
import { type CheckedMeasurement, measureSafely } from "./measure-safely.ts"
import { createMeasuring, type ScoredBatch } from "./measuring.ts"
import { orderMetrics } from "./order-metrics.ts"
import { isFinalRow } from "./standing-rows.ts"

/** Outcomes in which the model completed an answer; after any other the answer is unscored, and stays in the denominator. */
const judged: ReadonlySet<Outcome> = new Set([
  "ok",
  "length",
  "empty",
  "thinking_only",
  "refused",
  "step_limit",
  "turn_limit",
])

/** Answers that are measured side by side: metrics that call models or embed texts work on a batch at a time. */
const batchSize = 64

/** Batches that are measured at once: while one waits for a judge or for its embeddings, the next is read and asked for. */
const batchesAtOnce = 2

/** Batches whose rows are kept in one transaction, where making them again costs nothing but time. */
const batchesTogether = 4

/** What scoring a run needs. */
export interface ScoreOptions {
  readonly runId: string
  readonly store: RunStore
  /** Data set of the run, by fingerprint. */
  readonly dataset: string
  readonly variants: readonly string[]
  readonly metrics: readonly AnyMetric[]
  readonly tools: Omit<MetricTools, "valueOf">
  readonly signal: AbortSignal
  /** Measure anew what a judge, a model or the metric itself failed at: what was broken may have been repaired. */
  readonly repair: boolean
  /** Only answers to these samples are read. Default: all. */
  readonly sampleIds?: readonly string[]
  /** Which answers are measured. Default: all that are read. */
  wanted?(answer: CallKey): boolean
  /** Called after each batch is on disk. */
  onScored(variant: string, answers: number): void
}

/**
 * Measures every stored answer that a metric has no row for. No variant's model is called: what a metric needs is in the
 * generation, or comes through its tools (embedders, judges).
 * @returns false when it was interrupted; what was scored until then is kept
 */
export async function scoreRun(options: ScoreOptions): Promise<boolean> {
  const metrics = orderMetrics(options.metrics)
  const turn = createTurns()
  const order = orderFor(metrics)
  const max = order === "plan" ? batchSize : batchSize * batchesTogether
  for (const variant of options.variants) {
    const missing = unscoredMetrics(options, variant, metrics)
    const measuring = createMeasuring()
    const made: ScoredBatch[] = []
    let batch: Generation[] = []
    const keepDownTo = async (left: number) => {
      for await (const scored of measuring.downTo(left)) {
        made.push(scored)
        if (made.length * batchSize >= max) keep(options, variant, made.splice(0))
      }
    }
    const measure = () => {
      measuring.add(scoreBatch(options, metrics, missing, batch), batch.length)
      batch = []
      return keepDownTo(batchesAtOnce - 1)
    }
    try {
      for (const generation of answersOf(options, variant, order)) {
        if (options.wanted?.(generation) === false) continue
        batch.push(generation)
        if (batch.length < batchSize) continue
        await measure()
        await turn()
        if (options.signal.aborted) break
      }
      if (!options.signal.aborted) await measure()
    } finally {
      // Also where one of them failed: nothing goes on behind the caller's back.
      await keepDownTo(0)
      keep(options, variant, made)
    }
    if (options.signal.aborted) return false
  }
  return !options.signal.aborted
}

function keep({ store, runId, onScored }: ScoreOptions, variant: string, batches: readonly ScoredBatch[]): void {
  const rows = batches.flatMap((batch) => batch.rows)
  if (rows.length > 0) store.saveRows(runId, rows)
  const answers = batches.reduce((sum, batch) => sum + batch.answers, 0)
  if (answers > 0) onScored(variant, answers)
}

function answersOf(
  { store, runId, sampleIds }: ScoreOptions,
  variant: string,
  order: "plan" | "sample",
): Iterable<Generation> {
  return sampleIds ? store.generationsTo(runId, variant, sampleIds) : store.generations(runId, variant, order)
}

/**
 * In the order of the rows that are written, each page of the store is written once. Where a metric asks a model it is the plan's order:
 * a budget that is spent halfway has then paid for a random part of the samples.
 */
function orderFor(metrics: readonly AnyMetric[]): "plan" | "sample" {
  return metrics.some(({ asks = [], meters = [] }) => asks.length > 0 || meters.length > 0) ? "plan" : "sample"
}

/** Per metric, the answers that have a row already (a resumed run scores only what is new). */
function unscoredMetrics(
  { store, runId, repair, sampleIds }: ScoreOptions,
  variant: string,
  metrics: readonly AnyMetric[],
): ReadonlyMap<string, ReadonlyMap<string, number | null>> {
  const read = sampleIds && store.answerRows(runId, variant, sampleIds)
  return new Map(
    metrics.map((metric) => {
      const values = new Map<string, number | null>()
      for (const row of read?.filter((storedRow) => storedRow.metric === metric.name) ??
        store.rows(runId, variant, metric.name))
        if (isFinalRow(row.measured, repair)) values.set(answerKey(row), row.value)
      return [metric.name, values]
    }),
  )
}

/** The new rows of some answers; null where it was interrupted. */
async function scoreBatch(
  options: ScoreOptions,
  metrics: readonly AnyMetric[],
  values: ReadonlyMap<string, ReadonlyMap<string, number | null>>,
  batch: readonly Generation[],
): Promise<readonly StoredRow[] | null> {
  const rows: StoredRow[] = []
  const ids = batch.map(({ sampleId }) => sampleId)
  const samples = new Map(options.store.samplesOf(options.dataset, ids).map((sample) => [sample.id, sample]))
  const measured = await Promise.allSettled(
    batch.map(async (generation) => {
      const sample = samples.get(generation.sampleId)
      if (!sample) throw new Error(`sample ${generation.sampleId} is not in the store`)
      rows.push(
        ...(await scoreAnswer(metrics, sample, generation, toolsFor(generation, options), (metric) =>
          values.get(metric)?.get(answerKey(generation)),
        )),
      )
    }),
  )
  // What an interruption cut short is measured again on resume: a judge that was not asked has not failed.
  if (options.signal.aborted) return null
  const fault = measured.find((end) => end.status === "rejected")
  if (fault) throw fault.reason
  return rows
}

/** The tools, with a look at the other variants' answers to the same sample, and at its other repeats. */
function toolsFor(generation: Generation, options: ScoreOptions): ScoreOptions["tools"] {
  const { tools, store, runId } = options
  const { sampleId, repeat } = generation
  return {
    ...tools,
    answerOf: (variant) => store.generation(runId, { variant, sampleId, repeat })?.text ?? null,
    otherAnswers: () => otherAnswers(generation, options),
  }
}

function otherAnswers({ variant, sampleId, repeat: own }: Generation, { store, runId }: ScoreOptions): OtherAnswers {
  const repeats = store.run(runId)?.repeats ?? 1
  const others = Array.from({ length: repeats }, (_, repeat) => repeat)
    .filter((repeat) => repeat !== own)
    .map((repeat) => store.generation(runId, { variant, sampleId, repeat }))
  return {
    answers: others.flatMap((own) => (own && judged.has(own.outcome) ? [{ repeat: own.repeat, text: own.text }] : [])),
    awaited: others.filter((answer) => answer === null).length,
  }
}

/**
 * Measures one answer with every metric, in the order given (dependencies first).
 * @param earlierScore value of a row that exists already; undefined when it is to be measured
 * @returns the new rows
 */
export async function scoreAnswer(
  metrics: readonly AnyMetric[],
  sample: Sample,
  generation: Generation,
  tools: Omit<MetricTools, "valueOf">,
  earlierScore: (metric: string) => number | null | undefined = () => undefined,
): Promise<readonly StoredRow[]> {
  const values = new Map<string, number | null>()
  const rows: StoredRow[] = []
  const answerTools: MetricTools = { ...tools, valueOf: (name) => values.get(name) }
  for (const metric of metrics) {
    const before = earlierScore(metric.name)
    if (before !== undefined) {
      values.set(metric.name, before)
      continue
    }
    const started = measure(metric, sample, generation, answerTools)
    const { measured, value } = started instanceof Promise ? await started : started
    values.set(metric.name, value)
    const { variant, sampleId, repeat } = generation
    rows.push({ variant, sampleId, repeat, metric: metric.name, measured, value })
  }
  return rows
}

function measure(
  metric: AnyMetric,
  sample: Sample,
  generation: Generation,
  tools: MetricTools,
): CheckedMeasurement | Promise<CheckedMeasurement> {
  // The variant is not to blame: it is unknown what it would have answered.
  if (generation.outcome === "user_failed")
    return { measured: unscored("user_failed", generation.failure?.message), value: null }
  if (!judged.has(generation.outcome)) return { measured: unscored("failed", generation.outcome), value: null }
  return measureSafely(metric, sampleAsAnswered(sample, generation), generation, tools)
}

/**
 * The sample as metrics measure its answer by: passages that the application retrieved stand for its context, and what else it
 * returned is in the metadata, but for names that the sample has itself: an application cannot rewrite its own answer key.
 */
function sampleAsAnswered(sample: Sample, { returned }: Pick<Generation, "returned">): Sample {
  if (!returned) return sample
  return {
    ...sample,
    context: returned.passages ?? sample.context,
    ...(returned.passages?.length === 0 && { empty: [...(sample.empty ?? []), "context" as const] }),
    metadata: { ...returned.fields, ...sample.metadata },
  }
}
