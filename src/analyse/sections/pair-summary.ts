import type { Generation } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import type { RowEntry } from "../../core/metric/metric.ts"
import type { PairMetric, PairShare } from "../../core/metric/pair-metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isAnswered } from "../../core/outcome.ts"
import { createRandom } from "../../core/random.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { splitOf } from "../../core/sample.ts"
import { unitVectors } from "../../estimate/unit-vectors.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { unitKey } from "../../rows/entries.ts"
import { meanBound } from "../../stats/intervals/mean-bound.ts"
import { percentileInterval } from "../../stats/resampling/bootstrap-interval.ts"
import { bootstrapRows, rowResamples } from "../../stats/resampling/bootstrap-rows.ts"
import { bootstrapVectors } from "../../stats/resampling/bootstrap-vectors.ts"
import { groupUnits, numberUnits } from "../../stats/resampling/units.ts"
import { methods } from "../../wording/methods.ts"
import { noFigure } from "../../wording/reasons.ts"
import { counted } from "../../words/number.ts"

/** Where pairs of answers are read, and what they are measured by. @public */
export interface PairSource {
  readonly store: RunStore
  readonly runId: string
  /** Data set of the run, by fingerprint. */
  readonly dataset: string
  /** Handed in as a value: `divergence()`. */
  readonly metric: PairMetric
  readonly seed: number
  /** 1 − the level of the intervals. Default 0.05. */
  readonly alpha?: number
  /** Called between two pairs, to give way or to end the work. */
  readonly turn?: () => Promise<void> | undefined
}

/** One candidate against another variant, over all pairs of answers that could be compared. */
export interface PairSummary {
  /** The pair metric with its interval, over samples or clusters. */
  readonly figure: Figure
  /** Its shares, by name. */
  readonly shares: Readonly<Record<string, Figure>>
  readonly details: Readonly<Record<string, JsonValue>>
  readonly entries: readonly RowEntry<unknown>[]
}

const resamples = 500

/** Measures every pair of answers of two variants of a run. */
export async function summarisePairs(reference: string, candidate: string, source: PairSource): Promise<PairSummary> {
  const { store, runId, dataset, metric, seed, alpha = 0.05, turn } = source
  const entries: RowEntry<unknown>[] = []
  let reason: string = noFigure.noPair
  for (const generation of store.generations(runId, candidate)) {
    const wait = turn?.()
    if (wait) await wait
    const { sampleId, repeat } = generation
    const sample = store.sample(dataset, sampleId)
    const partner = store.generation(runId, { variant: reference, sampleId, repeat })
    if (!sample || !isComparable(generation) || !isComparable(partner)) continue
    const measured = metric.measure(sample, partner, generation)
    if (measured.status === "scored") entries.push({ row: measured.row, sampleId, repeat, ...splitOf(sample) })
    else reason = measured.reason
  }
  const shares = (figureOf: (share: PairShare) => Figure) =>
    Object.fromEntries((metric.shares ?? []).map((share) => [share.name, figureOf(share)]))
  const summary = metric.summarise(entries)
  if (summary.value === null) {
    const figure = unknown(summary.reason && entries.length > 0 ? summary.reason : reason)
    return { figure, shares: shares(() => figure), details: {}, entries: [] }
  }
  const units = groupUnits(new Float64Array(entries.length), entries.map(unitKey))
  const distribution = bootstrapDistribution(metric, entries, units.members, `${seed}/divergence/${candidate}`)
  const over = counted(units.members.length, units.single ? "sample" : "cluster")
  return {
    figure: {
      status: "known",
      value: summary.value,
      ...(distribution ? percentileInterval(distribution, alpha) : { low: null, high: null }),
      n: entries.length,
      method: methods.percentileBootstrap(metric.signature, over, seed),
    },
    shares: shares((share) => shareFigure(share, entries, alpha)),
    details: isObject(summary.details) ? summary.details : {},
    entries,
  }
}

/** Values of the pair metric over resampled units; null for a single one. */
function bootstrapDistribution(
  metric: PairMetric,
  entries: readonly RowEntry<unknown>[],
  members: readonly (readonly number[])[],
  seed: string,
): Float64Array | null {
  if (members.length < 2) return null
  const { aggregation } = metric
  if (aggregation?.kind === "sum") {
    const rows = unitVectors(aggregation, (i) => entries[i]?.row, numberUnits(entries.map(unitKey)))
    return bootstrapVectors(rows, aggregation.score, resamples, createRandom(seed))
  }
  return bootstrapRows(
    members,
    (positions) => metric.summarise(positions.map((i) => entries[i] as RowEntry<unknown>)).value ?? Number.NaN,
    rowResamples(10 * entries.length, resamples),
    createRandom(seed),
  )
}

/** A share of all positions, with the bounds that hold over the samples that they belong to. */
function shareFigure(share: PairShare, entries: readonly RowEntry<unknown>[], alpha: number): Figure {
  const counts = entries.map(({ row }) => share.count(row))
  const keys = entries.map(unitKey)
  const sums = groupUnits(
    Float64Array.from(counts, ([holds]) => holds),
    keys,
  ).sums
  const sizes = groupUnits(
    Float64Array.from(counts, ([, of]) => of),
    keys,
  ).sums
  const kept = sizes.map((_, i) => i).filter((i) => (sizes[i] as number) > 0)
  if (kept.length === 0) return unknown(noFigure.noPosition)
  const pick = (values: Float64Array) => Float64Array.from(kept, (i) => values[i] as number)
  const single = kept.every((i) => sizes[i] === 1)
  const units = { sums: pick(sums), sizes: pick(sizes), single }
  const { value, low, high, method, n } = meanBound(units, { range: [0, 1], alpha })
  return { status: "known", value, low, high, n, method: `share of ${n}; ${method}` }
}

function isComparable(generation: Generation | null): generation is Generation {
  return generation !== null && isAnswered(generation.outcome)
}

/** Without the probability of a single answer, and without given texts, no answer needs to be read again. */
export function mayHaveLogprobs({ answers }: ScoredVariant): boolean {
  const facts = factsBehind(answers)
  if (facts.figure("confidence")) return true
  for (let index = 0; index < facts.length; index++) if (facts.isGiven(index)) return true
  return false
}
