import { createTurns } from "../../core/interruption.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import { textMeasureOf } from "../../core/metric/text-measure.ts"
import { answerKey } from "../../core/run/answer-key.ts"
import type { PackedAnswers } from "../../core/run/run-store.ts"
import { orderMetrics } from "../order-metrics.ts"
import type { ScoreOptions } from "../score.ts"
import { isFinalRow } from "../standing-rows.ts"
import type { PartScorer } from "./part-scorer.ts"
import { type KnownValues, type Part, type ScoredPart, scorePart } from "./score-part.ts"

/** Answers of a part, whose rows are kept in one transaction. */
const partSize = 256

/** Whether all of the metrics measure texts alone: then an answer need not be read as a whole, nor measured in this thread. */
export function measureTexts(metrics: readonly AnyMetric[]): boolean {
  return metrics.length > 0 && metrics.every((metric) => textMeasureOf(metric) !== null)
}

/** What scoring one variant in parts needs. */
export interface ScorePartsOptions
  extends Pick<ScoreOptions, "runId" | "store" | "dataset" | "metrics" | "tools" | "signal" | "repair" | "onScored"> {
  readonly variant: string
  readonly scorer: PartScorer
  /** Answers of the run that are still to be scored, those of this variant among them. */
  readonly left: number
}

/**
 * Measures every stored answer of a variant that a metric has no row for, as `scoreRun` does, with metrics that measure texts. Rows
 * are kept in the order of the answers, whichever thread measured them.
 * @returns false when it was interrupted; what was kept until then stays
 */
export async function scoreParts(options: ScorePartsOptions): Promise<boolean> {
  const { store, runId, variant, dataset, scorer, signal, tools } = options
  const metrics = orderMetrics(options.metrics)
  const names = new Set(metrics.map(({ name }) => name))
  const hasRows = store.scoredMetrics(runId, variant).some((name) => names.has(name))
  const turn = createTurns()
  let left = options.left
  const underWay: { readonly answers: number; readonly scored: Promise<ScoredPart> }[] = []
  const keepFirst = async (): Promise<void> => {
    const first = underWay.shift()
    if (!first) return
    const scored = await first.scored
    if (signal.aborted) return
    if ("encoded" in scored) store.saveEncodedRows(runId, scored.encoded)
    else if (scored.rows.length > 0) store.saveRows(runId, scored.rows)
    options.onScored(variant, first.answers)
  }
  for (const packed of store.packedAnswers(runId, variant, dataset, partSize)) {
    const part: Part = { packed, known: hasRows ? knownOf(options, names, packed) : new Map() }
    const here = async () => ({ rows: await scorePart(metrics, part, store.unpackAnswers(packed), tools) })
    const scored = scorer.score(part, here, left)
    // A failure is seen where the part is awaited, which may be later.
    scored.catch(() => {})
    underWay.push({ answers: packed.calls.length, scored })
    left -= packed.calls.length
    while (underWay.length >= scorer.atOnce() && !signal.aborted) await keepFirst()
    await turn()
    if (signal.aborted) return false
  }
  while (underWay.length > 0 && !signal.aborted) await keepFirst()
  return !signal.aborted
}

/** Values that answers of the part have already (a resumed run scores only what is new). */
function knownOf(
  { store, runId, variant, repair }: ScorePartsOptions,
  names: ReadonlySet<string>,
  { calls }: PackedAnswers,
): Part["known"] {
  const positions = new Map(calls.map((call, index) => [answerKey(call), index]))
  const byPosition = new Map<number, Map<string, number | null>>()
  for (const row of store.answerRows(runId, variant, [...new Set(calls.map(({ sampleId }) => sampleId))])) {
    const position = positions.get(answerKey(row))
    if (position === undefined || !names.has(row.metric) || !isFinalRow(row.measured, repair)) continue
    const values = byPosition.get(position) ?? new Map<string, number | null>()
    byPosition.set(position, values.set(row.metric, row.value))
  }
  return byPosition satisfies ReadonlyMap<number, KnownValues>
}
