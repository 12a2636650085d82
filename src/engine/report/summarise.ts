import type { Turns } from "../../core/interruption.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricRow, ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { UnscoredCode } from "../../core/metric/unscored-code.ts"
import { type Figure, type KnownFigure, unknown } from "../../core/report/figure.ts"
import type { QualityFigure, VariantReport } from "../../core/report/report.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { VariantState } from "../../core/run/run-record.ts"
import type { RunStore, StoredRow } from "../../core/run/run-store.ts"
import { type Variant, variantFingerprint } from "../../core/variant.ts"
import { type CostOptions, createCostAccumulator } from "../../cost/cost-figures.ts"
import { priceAgeNote } from "../../cost/price-age.ts"
import { findContextWindow, listPrice } from "../../cost/price-book.ts"
import { createTokenAccumulator } from "../../cost/token-totals.ts"
import { answerFacts } from "../../perf/answer-facts.ts"
import { type ContextWindow, createContextUse } from "../../perf/context-use.ts"
import { createEpisodeTally, type EpisodeFigures } from "../../perf/episode/episode-tally.ts"
import { createSpeedAccumulator } from "../../perf/speed-figures.ts"
import { breakable } from "../../platform/breakable.ts"
import { freeUnused } from "../../platform/free-unused.ts"
import type { CountTokens } from "../../text/o200k.ts"
import { logprobRemarks, markLogprobs } from "../run/logprob-remarks.ts"
import type { AnswerList } from "../score/columns/answer-list.ts"
import { columnBuilder } from "../score/columns/column-rows.ts"
import { factsBuilder, factsView } from "../score/columns/fact-columns.ts"
import { rowsBehind, viewOf } from "../score/columns/metric-rows.ts"
import type { SharedAnswers } from "../score/columns/shared-answers.ts"
import { createDifferences } from "./differences.ts"
import { createEnergyCounter, type EnergyCounter } from "./energy-figures.ts"
import { qualityFigure } from "./interval.ts"
import {
  addFailure,
  createMessageClusters,
  type FailureCluster,
  failureReasons,
} from "./sections/broke/failure-clusters.ts"
import { createServingFigures, type ServingFigures } from "./serving-figures.ts"
import { createTextAccumulator } from "./text-figures.ts"
import { vocabularySize, withVocabulary } from "./vocabulary.ts"

/** What a summary is made from. */
export interface SummariseOptions {
  readonly runId: string
  readonly store: RunStore
  readonly evaluation: Evaluation
  /** The keys of answers to the run's data set, which all variants share. */
  readonly answers: SharedAnswers
  readonly planned: number
  readonly judgeUsd: Figure
  /** Called between two steps: gives way, or ends the work. */
  readonly turn: Turns
  /** What `turn` listens to. */
  readonly signal?: AbortSignal
  /** When the run began, ISO 8601: how old its price was then. */
  readonly startedAt: string
  /** The variant's as its run has it, which holds what its tools' servers offered then; absent: that of the config. */
  readonly fingerprint?: string | undefined
  /** Counts o200k tokens of a text. */
  readonly countTokens: CountTokens
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

/** Reads a variant's answers and rows once, as a stream, and derives every figure of it from them. */
export async function summariseVariant(variant: Variant, options: SummariseOptions): Promise<SummarisedVariant> {
  const { store, runId, evaluation, turn } = options
  const read = new Map<string, readonly MetricRow[]>()
  const rowsOf = async ({ name }: AnyMetric): Promise<readonly MetricRow[]> => {
    const known = read.get(name) ?? (await metricRows(store.rows(runId, variant.name, name), options.answers, turn))
    read.set(name, known)
    return known
  }
  const [first] = evaluation.metrics
  const primary = evaluation.metrics.find(({ name }) => name === evaluation.primary[0])
  const { answers: keys } = rowsBehind(first ? await rowsOf(first) : [])
  const correctness = correctValues(primary, primary ? await rowsOf(primary) : [])
  const { answers, speed, text, cost, notes, ...gathered } = await gatherAnswers(variant, {
    ...options,
    keys,
    correctness,
  })
  // What was gathered of a million answers is as large as the rows of all metrics, and is not needed beside them.
  freeUnused()
  const rows = new Map<string, readonly MetricRow[]>()
  for (const metric of evaluation.metrics) rows.set(metric.name, await rowsOf(metric))
  const state = store.variantState(runId, variant.name)
  const vocabulary = vocabularySize(state?.served)
  const quality: QualityFigure[] = []
  for (const metric of evaluation.metrics) {
    const found = await qualityOf(metric, rows.get(metric.name) ?? [], options)
    quality.push({ ...found, figure: withVocabulary(metric, found.figure, vocabulary) })
  }
  return {
    identifiesContent: variant.provider.traits?.identifiesContent ?? false,
    scored: { name: variant.name, answers, rows },
    episodes: gathered.episodes,
    failures: gathered.failures,
    serving: gathered.serving,
    report: {
      name: variant.name,
      model: variant.provider.model,
      provider: variant.provider.kind,
      quantization: variant.provider.quantization ?? null,
      baseline: variant.name === evaluation.baseline,
      fingerprint: options.fingerprint ?? variantFingerprint(variant),
      planned: options.planned,
      finished: answers.length,
      outcomes: gathered.outcomes,
      retries: gathered.retries,
      availability: gathered.availability,
      quality,
      speed,
      cost,
      tokens: gathered.tokens,
      text,
      contextUse: gathered.contextUse,
      resources: gathered.resources,
      ...gathered.differences,
      notes,
      ...failureReasons(gathered.failures),
      failure: state?.failure ?? null,
    },
  }
}

interface GatherOptions extends SummariseOptions {
  /** The keys of the first metric's rows. */
  readonly keys: AnswerList
  readonly correctness: (sampleId: string, repeat: number) => number | null
}

/** What the answers themselves say. The lists that it takes end with it: they are the largest that a report needs. */
async function gatherAnswers(variant: Variant, { keys, correctness, ...options }: GatherOptions) {
  const { store, runId, evaluation, turn } = options
  const { alpha } = evaluation
  const speed = createSpeedAccumulator({ alpha, expected: keys.length })
  const cost = createCostAccumulator({
    price: variant.price,
    judgeUsd: options.judgeUsd,
    alpha,
    ...memberPrices(variant),
    expected: keys.length,
  })
  const energy = createEnergyCounter(alpha, evaluation.energy)
  const tokens = createTokenAccumulator()
  const text = createTextAccumulator(options.countTokens, options.planned, alpha)
  const state = store.variantState(runId, variant.name)
  const contextUse = createContextUse(contextWindowOf(variant, state), alpha)
  const facts = factsBuilder(options.answers.begin("facts"), keys.length)
  const cut = { alternatives: 0, all: 0 }
  const asked = createDifferences()
  const episodes = createEpisodeTally(alpha)
  const failures = createMessageClusters()
  const serving = createServingFigures(variant, alpha)
  for (const generation of store.generations(runId, variant.name)) {
    const wait = turn()
    if (wait) await wait
    const correct = correctness(generation.sampleId, generation.repeat)
    speed.add(generation)
    cost.add(generation, correct, keys.sampleNumber(generation.sampleId))
    energy.add(generation, correct)
    tokens.add(generation)
    text.add(generation)
    contextUse.add(generation)
    facts.add(answerFacts(generation))
    if (generation.cutLogprobs) cut[generation.cutLogprobs]++
    asked.add(generation)
    episodes.add(generation, correct)
    addFailure(failures, generation)
    serving.add(generation)
  }
  const answers = factsView(facts.done())
  for (const { variant: name, attempt } of store.attempts(runId)) if (name === variant.name) cost.addAttempt(attempt)
  const speedFigures = markLogprobs(speed.figures(), variant)
  const context = contextUse.figures()
  const costFigures = cost.figures(speedFigures.systemTokensPerSecond, null)
  const priceAge = priceAgeNote(variant.price, options.startedAt)
  return {
    answers,
    episodes: episodes.figures(),
    failures: failures.clusters(),
    serving: serving.figures(),
    outcomes: speed.outcomes(),
    retries: speed.retries(),
    availability: speed.availability(),
    speed: speedFigures,
    cost: costFigures,
    tokens: tokens.figures(),
    text: text.figures(costFigures),
    contextUse: context,
    resources: resourceFigures(state, energy),
    differences: asked.figures(),
    notes: [
      ...(state?.notes ?? []),
      ...logprobRemarks(variant),
      ...asked.notes(),
      ...context.warnings.map((warning) => `context window: ${warning}`),
      ...(priceAge === null ? [] : [priceAge]),
      ...cutNotes(cut),
    ],
  }
}

/** Log-probabilities that were too many to be kept. */
function cutNotes({ alternatives, all }: { readonly alternatives: number; readonly all: number }): string[] {
  const why = "they were more than are kept of one answer"
  return [
    ...(alternatives > 0 ? [`log-probabilities: without the alternatives in ${alternatives} answers, ${why}`] : []),
    ...(all > 0 ? [`log-probabilities: left out of ${all} answers, ${why}`] : []),
  ]
}

/** As its server stated it while it ran, else the price book's. */
function contextWindowOf({ provider }: Variant, state: VariantState | null): ContextWindow | null {
  const tokens = state?.resources?.contextTokens
  if (tokens) return { tokens, source: "as the server states it" }
  return findContextWindow(provider.endpoint, provider.model) ?? findContextWindow(provider.kind, provider.model)
}

async function metricRows(
  stored: Iterable<StoredRow>,
  answers: SharedAnswers,
  turn: Turns,
): Promise<readonly MetricRow[]> {
  const column = columnBuilder(answers.begin("rows"))
  for (const { sampleId, repeat, value, measured } of stored) {
    const wait = turn()
    if (wait) await wait
    column.add(sampleId, repeat, value, measured)
  }
  return viewOf(column.done())
}

async function qualityOf(
  metric: AnyMetric,
  rows: readonly MetricRow[],
  options: SummariseOptions,
): Promise<QualityFigure> {
  const { seed, alpha } = options.evaluation
  const unscoredCounts = new Map<string, number>()
  const unscoredCodes = new Map<UnscoredCode, number>()
  const { length, scored, measured } = rowsBehind(rows)
  for (let place = 0; scored < length && place < length; place++) {
    const one = measured(place)
    if (one.status === "scored") continue
    countOne(unscoredCounts, one.reason)
    countOne(unscoredCodes, one.code)
  }
  const { figure, details } = await breakable(() => qualityFigure(metric, rows, { seed, alpha }), options.signal)
  return {
    metric: metric.name,
    figure,
    scored,
    total: options.planned,
    unscored: Object.fromEntries(unscoredCounts),
    unscoredCodes: Object.fromEntries(unscoredCodes),
    details,
    groups: groupFigures(metric, rows, seed, alpha),
  }
}

function countOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Groups beyond this many are no split that a person reads. */
const mostGroups = 50

function groupFigures(
  metric: AnyMetric,
  rows: readonly MetricRow[],
  seed: number,
  alpha: number,
): Record<string, Figure> {
  if (metric.aggregation.kind !== "mean" || rowsBehind(rows).answers.splitAt === null) return {}
  const groups = new Map<string, MetricRow[]>()
  for (const row of rows) {
    if (row.group === undefined) continue
    const members = groups.get(row.group)
    if (members) members.push(row)
    else groups.set(row.group, [row])
  }
  if (groups.size === 0 || groups.size > mostGroups) return {}
  return Object.fromEntries(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, members]) => [group, qualityFigure(metric, members, { seed, alpha }).figure]),
  )
}

/** The first primary metric's value of an answer: what "per correct answer" counts. Null where it is none, or no share of 1. */
function correctValues(
  primary: AnyMetric | undefined,
  rows: readonly MetricRow[],
): (sampleId: string, repeat: number) => number | null {
  const isShare = primary && primary.direction === "higher" && primary.range[0] === 0 && primary.range[1] === 1
  const { answers, values } = rowsBehind(isShare ? rows : [])
  return (sampleId, repeat) => {
    const value = values[answers.find(sampleId, repeat)] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  }
}

function resourceFigures(state: VariantState | null, energy: EnergyCounter): VariantReport["resources"] {
  const resources = state?.resources
  const reason = resources?.reason ?? state?.failure ?? "the provider does not serve the model on this machine"
  const figure = (value: number | null | undefined, method: string): Figure =>
    value === null || value === undefined
      ? unknown(reason)
      : ({ status: "known", value, n: 1, method } satisfies KnownFigure)
  return {
    modelBytes: figure(resources?.modelBytes, "size of the model file"),
    peakRssBytes: figure(resources?.peakRssBytes, "resident memory of the serving process tree, highest sample"),
    rssOverIdleBytes: figure(resources?.rssOverIdleBytes, "peak less the memory before the first request"),
    loadMs: figure(resources?.loadMs, "start of the server until it was ready"),
    cpuSeconds: figure(resources?.cpuSeconds, "processor time of the serving process tree"),
    ...energy.figures(resources, reason),
  }
}

/** The prices of the providers that a variant asks in turn; none where it asks one, or has a price of its own. */
function memberPrices({ price, provider }: Variant): Pick<CostOptions, "memberPrices"> {
  const members = price === null ? (provider.traits?.members ?? []) : []
  return members.length === 0 ? {} : { memberPrices: new Map(members.map((one) => [one.label, listPrice(one)])) }
}
