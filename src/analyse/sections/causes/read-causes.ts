import type { Turns } from "../../../core/interruption.ts"
import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { isFailure } from "../../../core/outcome.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import type { RunStore } from "../../../core/run/run-store.ts"
import { differenceColumns } from "../../../estimate/sample-differences.ts"
import type { RowPair } from "../../../rows/align.ts"
import { countRows } from "../../../rows/missing-rows.ts"
import { rowsOf } from "../../../rows/rows-of.ts"
import { numberUnits, type UnitNumbers } from "../../../stats/resampling/units.ts"
import { loadDetector } from "../../../text/language.ts"
import type { ReadAxes } from "../slices/read-axes.ts"
import type { SamplePositions } from "../slices/sample-positions.ts"
import { traitsOf } from "./answer-traits.ts"
import { change } from "./count-changes.ts"
import { type Cause, findCauses, minLosses } from "./find-causes.ts"
import { type AnswerTraits, addTerms, answerRules, type Inputs, inputRules } from "./rules.ts"

/** What causes are read from. */
export interface CausesSource {
  readonly store: Pick<RunStore, "generationsTo">
  readonly runId: string
  readonly baseline: ScoredVariant
  readonly candidates: readonly ScoredVariant[]
  readonly evaluation: Pick<Evaluation, "metrics" | "primary" | "alpha" | "missing">
  readonly read: ReadAxes
  readonly inputs: Inputs
  /** Called between two blocks of answers: gives way, or ends the work. */
  readonly turn: Turns
}

/** The causes of a candidate's losses in a metric. */
export interface MetricCauses {
  readonly metric: AnyMetric
  /** Samples that were looked at and compared. */
  readonly samples: number
  readonly losses: number
  readonly causes: readonly Cause[]
}

/**
 * Why samples were lost, by candidate: for each metric that decides, the shortest rules that tell them from the rest (see {@link findCauses}).
 * Answers are read for at most about 10,000 samples, and only where something was lost.
 */
export async function readCauses(source: CausesSource): Promise<ReadonlyMap<string, readonly MetricCauses[]>> {
  const { baseline, candidates, evaluation, read, inputs } = source
  const { metrics, primary, alpha } = evaluation
  const deciding = primary.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
  const lossy = candidates.flatMap((candidate) => {
    const changes = deciding
      .map((metric) => ({ metric, ...changesOf(metric, candidate, source) }))
      .filter((entry) => countOf(entry.changes, [change.loss]) >= minLosses)
    return changes.length === 0 ? [] : [{ candidate, changes }]
  })
  if (lossy.length === 0) return new Map()
  await loadDetector()
  const before = await readTraits(baseline.name, source)
  const ofInputs = inputRules(inputs, read.axes)
  const causes = new Map<string, readonly MetricCauses[]>()
  for (const { candidate, changes } of lossy) {
    const rules = [...ofInputs, ...answerRules(before, await readTraits(candidate.name, source))]
    causes.set(
      candidate.name,
      changes.map((entry) => ({
        metric: entry.metric,
        samples: countOf(entry.changes, [change.none, change.loss, change.gain]),
        losses: countOf(entry.changes, [change.loss]),
        causes: findCauses(rules, entry.changes, alpha, entry.units),
      })),
    )
  }
  return causes
}

/** A cause with the number by which the report names it. */
export interface NumberedCause extends Omit<MetricCauses, "causes"> {
  readonly number: number
  readonly cause: Cause
}

/** The causes of a candidate's losses in all metrics, numbered from 1 in the order in which they were found. */
export function numberedCauses(all: readonly MetricCauses[]): readonly NumberedCause[] {
  return all
    .flatMap(({ causes, ...of }) => causes.map((cause) => ({ ...of, cause })))
    .map((entry, i) => ({ ...entry, number: i + 1 }))
}

function countOf(changes: Uint8Array, kinds: readonly number[]): number {
  return changes.reduce((sum, kind) => sum + Number(kinds.includes(kind)), 0)
}

/**
 * What became of each sample that is looked at. A loss is as large as differences are typically (their root mean square) or larger: every
 * flip of a metric of right and wrong, and of graded values what is more than their noise.
 */
function changesOf(metric: AnyMetric, candidate: ScoredVariant, source: CausesSource): SampleChanges {
  const { baseline, evaluation, read, inputs } = source
  const rows = countRows(metric, rowsOf(baseline, metric.name), rowsOf(candidate, metric.name), {
    missing: evaluation.missing,
    absentRows: "not_asked",
  })
  const changes = new Uint8Array(read.positions.size)
  if (rows.complete.pairs.length === 0) return { changes, units: null }
  const { ids, difference } = differenceColumns(rows.all)
  const typical = Math.sqrt(difference.reduce((sum, value) => sum + value ** 2, 0) / difference.length)
  for (const [i, id] of ids.entries()) {
    const position = read.positions.get(id)
    if (position === undefined || !inputs.texts.has(position)) continue
    const better = (metric.direction === "higher" ? 1 : -1) * Number((difference[i] as number).toPrecision(12))
    const isLarge = better !== 0 && Math.abs(better) >= typical * (1 - 1e-9)
    changes[position] = !isLarge ? change.none : better < 0 ? change.loss : change.gain
  }
  return { changes, units: unitsOf(rows.all, read.positions) }
}

interface SampleChanges {
  readonly changes: Uint8Array
  readonly units: UnitNumbers | null
}

/** The cluster of each sample by position; null where no sample shares one. */
function unitsOf(pairs: readonly RowPair[], positions: SamplePositions): UnitNumbers | null {
  const clusters = new Map<string, string>()
  for (const { sampleId, cluster } of pairs) if (cluster !== undefined) clusters.set(sampleId, cluster)
  if (clusters.size === 0) return null
  const keys = Array.from({ length: positions.size }, (_, i) => {
    const id = positions.idAt(i)
    const cluster = clusters.get(id)
    return cluster === undefined ? `sample ${id}` : `cluster ${cluster}`
  })
  const units = numberUnits(keys)
  return units.count === keys.length ? null : units
}

/** Samples whose answers are read at once. */
const blockSize = 500

/** A failure is no answer: its class is stated elsewhere. Of several answers to a sample one that has a trait is enough. */
async function readTraits(variant: string, { store, runId, read, inputs, turn }: CausesSource): Promise<AnswerTraits> {
  const answerTraits: AnswerTraits = { traits: new Map(), lengths: new Map() }
  const positions = [...inputs.texts.keys()]
  for (let start = 0; start < positions.length; start += blockSize) {
    const wait = turn()
    if (wait) await wait
    const ids = positions.slice(start, start + blockSize).map(read.positions.idAt)
    for (const generation of store.generationsTo(runId, variant, ids)) {
      const position = read.positions.get(generation.sampleId)
      if (position === undefined || (isFailure(generation.outcome) && generation.outcome !== "length_empty")) continue
      addTerms(answerTraits.traits, position, traitsOf(generation))
      answerTraits.lengths.set(position, (answerTraits.lengths.get(position) ?? 0) + generation.text.length)
    }
  }
  return answerTraits
}
