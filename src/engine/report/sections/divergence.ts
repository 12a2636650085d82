import type { Generation } from "../../../core/generation.ts"
import type { JsonValue } from "../../../core/json.ts"
import type { RowEntry } from "../../../core/metric/metric.ts"
import type { PairMetric } from "../../../core/metric/pair-metric.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { isAnswered } from "../../../core/outcome.ts"
import { createRandom } from "../../../core/random.ts"
import { type Figure, figureValue, type KnownFigure, unknown } from "../../../core/report/figure.ts"
import type { ReportSection, TableData } from "../../../core/report/report-sections.ts"
import type { RunStore } from "../../../core/run/run-store.ts"
import { percentileInterval } from "../../../stats/resampling/bootstrap-interval.ts"
import { bootstrapRows, rowResamples } from "../../../stats/resampling/bootstrap-rows.ts"
import { bootstrapVectors } from "../../../stats/resampling/bootstrap-vectors.ts"
import { groupUnits } from "../../../stats/resampling/units.ts"
import { alignRows } from "../../compare/align.ts"
import { toJson } from "./to-json.ts"

/** What the section is made from. @experimental */
export interface DivergenceSectionOptions {
  readonly store: RunStore
  readonly runId: string
  /** Data set of the run, by fingerprint. */
  readonly dataset: string
  /** Handed in as a value: `divergence()`. */
  readonly metric: PairMetric
  readonly baseline: ScoredVariant
  readonly candidates: readonly ScoredVariant[]
  /** Metric whose flips are counted; null for none. */
  readonly quality: string | null
  readonly seed: number
  /** Called between two pairs, to give way or to end the work. */
  readonly turn?: () => Promise<void> | undefined
}

/** One candidate against the baseline. */
export interface PairSummary {
  /** The pair metric over all pairs that it could compare. */
  readonly figure: Figure
  readonly details: Readonly<Record<string, JsonValue>>
}

const resamples = 500

/**
 * The divergence section: what changing the variant does to the token distributions, as llama.cpp's users know it, beside
 * the flips of the answers. Null when no pair of answers could be compared (no log-probabilities with alternatives).
 * @experimental
 */
export async function divergenceSection(options: DivergenceSectionOptions): Promise<ReportSection | null> {
  const { baseline, candidates, quality } = options
  const summaries = []
  for (const candidate of candidates) summaries.push({ candidate, ...(await summarisePairs(candidate.name, options)) })
  const known = summaries.filter(({ figure }) => figure.status === "known")
  if (known.length === 0) return null
  const data: TableData = {
    columns: [
      { title: "variant" },
      { title: "mean KL divergence", unit: "nats" },
      { title: "p99 KL divergence", unit: "nats" },
      { title: "same top token", unit: "share" },
      { title: "first difference (median)", unit: "tokens" },
      { title: "same text", unit: "share" },
      { title: "changed but equal", unit: "answers" },
      { title: "right → wrong", unit: "answers" },
      { title: "wrong → right", unit: "answers" },
    ],
    rows: known.map(({ candidate, figure, details }) => {
      const flips = countFlips(baseline, candidate, quality)
      const numbers = ["p99", "sameTopRate", "medianFirstDifference", "sameTextRate"].map((key) =>
        numberOr(details[key]),
      )
      return [candidate.name, figure, ...numbers, flips?.equal ?? null, flips?.lost ?? null, flips?.won ?? null]
    }),
  }
  const ordered = known.toSorted((a, b) => (figureValue(a.figure) ?? 0) - (figureValue(b.figure) ?? 0))
  return {
    kind: "divergence",
    title: `Token distributions compared with ${baseline.name}`,
    sentences: [
      `Mean divergence from ${baseline.name}, smallest first: ${ordered
        .map(({ candidate, figure }) => `${candidate.name} ${(figureValue(figure) ?? 0).toPrecision(2)}`)
        .join(", ")} nats per token.`,
      "Compared up to the first token that differs; tokens outside both lists of alternatives are one bin, so each figure is a lower bound.",
    ],
    data: toJson(data),
  }
}

/** Measures every pair of answers of the baseline and one candidate. */
export async function summarisePairs(candidate: string, options: DivergenceSectionOptions): Promise<PairSummary> {
  const { store, runId, dataset, metric, baseline, seed, turn } = options
  const entries: RowEntry<unknown>[] = []
  let reason = "no pair of answers"
  for (const generation of store.generations(runId, candidate)) {
    const wait = turn?.()
    if (wait) await wait
    const { sampleId, repeat } = generation
    const sample = store.sample(dataset, sampleId)
    const partner = store.generation(runId, { variant: baseline.name, sampleId, repeat })
    if (!sample || !isComparable(generation) || !isComparable(partner)) continue
    const measured = metric.measure(sample, partner, generation)
    if (measured.status === "scored") entries.push({ row: measured.row, sampleId, repeat })
    else reason = measured.reason
  }
  const summary = metric.summarise(entries)
  if (summary.value === null) return { figure: unknown(summary.reason ?? reason), details: {} }
  const distribution = bootstrapDistribution(metric, entries, `${seed}/divergence/${candidate}`)
  const figure: KnownFigure = {
    status: "known",
    value: summary.value,
    ...(distribution ? percentileInterval(distribution) : { low: null, high: null }),
    n: entries.length,
    method: `${metric.signature}; percentile bootstrap over samples, seed ${seed}`,
  }
  const details = summary.details
  return { figure, details: isMembers(details) ? details : {} }
}

/** Values of the pair metric over resampled samples; null for a single one. */
function bootstrapDistribution(
  metric: PairMetric,
  entries: readonly RowEntry<unknown>[],
  seed: string,
): Float64Array | null {
  const { members } = groupUnits(
    new Float64Array(entries.length),
    entries.map((entry) => entry.sampleId),
  )
  if (members.length < 2) return null
  const { aggregation } = metric
  if (aggregation?.kind !== "sum") {
    return bootstrapRows(
      members,
      (positions) => metric.summarise(positions.map((i) => entries[i] as RowEntry<unknown>)).value ?? Number.NaN,
      rowResamples(10 * entries.length, resamples),
      createRandom(seed),
    )
  }
  const { size, vector, score } = aggregation
  const data = new Float64Array(members.length * size)
  const row = new Float64Array(size)
  members.forEach((positions, unit) => {
    for (const position of positions) {
      row.fill(0)
      vector(entries[position]?.row, row, 0)
      for (let i = 0; i < size; i++) data[unit * size + i]! += row[i] as number
    }
  })
  return bootstrapVectors({ data, size }, score, resamples, createRandom(seed))
}

function isComparable(generation: Generation | null): generation is Generation {
  return generation !== null && isAnswered(generation.outcome)
}

function isMembers(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Answers whose score went down, went up, or stayed although the text changed. */
function countFlips(baseline: ScoredVariant, candidate: ScoredVariant, quality: string | null) {
  const [left, right] = [baseline.rows.get(quality ?? ""), candidate.rows.get(quality ?? "")]
  if (!left || !right) return null
  const texts = (variant: ScoredVariant) =>
    new Map(variant.answers.map((answer) => [`${answer.sampleId}\u0000${answer.repeat}`, answer.textHash]))
  const [before, after] = [texts(baseline), texts(candidate)]
  const counts = { lost: 0, won: 0, equal: 0 }
  for (const pair of alignRows(left, right).pairs) {
    const [a, b] = [pair.baseline.value ?? 0, pair.candidate.value ?? 0]
    const key = `${pair.sampleId}\u0000${pair.repeat}`
    if (b < a) counts.lost++
    else if (b > a) counts.won++
    else if (before.get(key) !== after.get(key)) counts.equal++
  }
  return counts
}

function numberOr(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null
}
