import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { UnscoredCode } from "../../core/metric/unscored-code.ts"
import type { ConstantRows } from "../../core/report/constant-answer.ts"
import type { Figure } from "../../core/report/figure.ts"
import type { QualityFigure, VariantReport } from "../../core/report/report.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { type Variant, variantFingerprint } from "../../core/variant.ts"
import { longestAnswerOf } from "../../cost/cost-of-usage.ts"
import { besideConstant, constantAnswersOf } from "../../estimate/constant-answer.ts"
import { type IntervalOptions, qualityFigure } from "../../estimate/interval.ts"
import type { ServingFigures } from "../../estimate/serving-figures.ts"
import type { EpisodeFigures } from "../../perf/episode/episode-tally.ts"
import { interruptible } from "../../platform/interruptible.ts"
import { columnRows } from "../../rows/columns/column-rows.ts"
import { factColumns, factsView } from "../../rows/columns/fact-columns.ts"
import { rowsBehind, viewOf } from "../../rows/columns/metric-rows.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import { markLogprobs } from "../../run/logprob-remarks.ts"
import { vocabularySize, withVocabulary } from "../../wording/vocabulary.ts"
import { type FailureCluster, failureReasons } from "../sections/causes/failure-clusters.ts"
import { likeReasons } from "./like-reasons.ts"
import type { VariantMeasures } from "./measure-variant.ts"
import type { VariantTask } from "./variant-task.ts"

/** What a summary is made of. */
export interface SummariseOptions {
  readonly variant: Variant
  readonly task: VariantTask
  readonly measures: VariantMeasures
  readonly evaluation: Evaluation
  readonly signal?: AbortSignal
  /** The best constant answers to the run's samples, by metric. */
  readonly constants: ReadonlyMap<string, ConstantRows>
  /** The variant's as its run has it, which holds what its tools' servers offered then; absent: that of the config. */
  readonly fingerprint?: string | undefined
}

/** One variant, summarised: its row of the report, and what comparisons are computed from. */
export interface SummarisedVariant {
  /** Whether the fingerprint tells the model by its content. */
  readonly identifiesContent: boolean
  readonly report: VariantReport
  /** Null where it had no conversations and no loops over tools. */
  readonly episodes: EpisodeFigures | null
  readonly scored: ScoredVariant
  readonly serving: ServingFigures
  /** Messages of its failures, the most frequent first. */
  readonly failures: readonly FailureCluster[]
}

/** Derives every figure of a variant from what was read of it. */
export async function summariseVariant(options: SummariseOptions): Promise<SummarisedVariant> {
  const { variant, task, measures, evaluation } = options
  const { figures } = measures
  const answers = factsView(factColumns(measures.facts))
  const rows = new Map(measures.columns.map((column, i) => [task.metrics[i] as string, viewOf(columnRows(column))]))
  const plain: ScoredVariant = { name: variant.name, answers, rows, ...longestAnswerOf(variant) }
  const vocabulary = vocabularySize(task.state?.served)
  const quality: QualityFigure[] = []
  for (const metric of evaluation.metrics) {
    const result = await qualityOf(metric, rowsOf(plain, metric.name), options)
    quality.push({ ...result, figure: withVocabulary(metric, result.figure, vocabulary) })
  }
  const constantAnswers = constantAnswersOf(quality)
  const scored = constantAnswers ? { ...plain, constantAnswers } : plain
  return {
    identifiesContent: variant.provider.traits?.identifiesContent ?? false,
    scored,
    episodes: figures.episodes,
    failures: figures.failures,
    serving: figures.serving,
    report: {
      name: variant.name,
      model: variant.provider.model,
      provider: variant.provider.kind,
      quantization: variant.provider.quantization ?? null,
      baseline: variant.name === evaluation.baseline,
      fingerprint: options.fingerprint ?? variantFingerprint(variant),
      planned: task.planned,
      finished: answers.length,
      outcomes: figures.outcomes,
      retries: figures.retries,
      availability: figures.availability,
      ...(figures.reliability && { reliability: figures.reliability }),
      quality,
      speed: markLogprobs(figures.speed, variant),
      cost: figures.cost,
      tokens: figures.tokens,
      text: figures.text,
      contextUse: figures.contextUse,
      resources: figures.resources,
      ...figures.differences,
      notes: figures.notes,
      ...failureReasons(figures.failures),
      failure: task.state?.failure ?? null,
    },
  }
}

async function qualityOf(
  metric: AnyMetric,
  rows: readonly MetricRow[],
  options: SummariseOptions,
): Promise<QualityFigure> {
  const { seed, alpha, missing } = options.evaluation
  const unscoredCounts = new Map<string, number>()
  const unscoredCodes = new Map<UnscoredCode, number>()
  const { length, scored, measured } = rowsBehind(rows)
  for (let index = 0; scored < length && index < length; index++) {
    const result = measured(index)
    if (result.status === "scored") continue
    countOne(unscoredCounts, result.reason)
    countOne(unscoredCodes, result.code)
  }
  const qualityResult = await interruptible(() => qualityFigure(metric, rows, { seed, alpha, missing }), options.signal)
  const constant = options.constants.get(metric.name)
  const constantAnswer =
    constant && (await interruptible(() => besideConstant(metric, constant, rows, options.evaluation), options.signal))
  return {
    metric: metric.name,
    figure: qualityResult.figure,
    ...(qualityResult.answered && { answered: qualityResult.answered }),
    ...(qualityResult.failed && { failed: qualityResult.failed }),
    scored,
    total: options.task.planned,
    unscored: Object.fromEntries(likeReasons(unscoredCounts)),
    unscoredCodes: Object.fromEntries(unscoredCodes),
    details: qualityResult.details,
    groups: groupFigures(metric, rows, { seed, alpha, missing }),
    ...(constantAnswer && { constantAnswer }),
  }
}

function countOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Groups beyond this many are no split that a person reads. */
const maxGroups = 50

function groupFigures(metric: AnyMetric, rows: readonly MetricRow[], options: IntervalOptions): Record<string, Figure> {
  if (metric.aggregation.kind !== "mean" || rowsBehind(rows).answers.splitAt === null) return {}
  const groups = new Map<string, MetricRow[]>()
  for (const row of rows) {
    if (row.group === undefined) continue
    const members = groups.get(row.group)
    if (members) members.push(row)
    else groups.set(row.group, [row])
  }
  if (groups.size === 0 || groups.size > maxGroups) return {}
  return Object.fromEntries(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, members]) => [group, qualityFigure(metric, members, options).figure]),
  )
}
