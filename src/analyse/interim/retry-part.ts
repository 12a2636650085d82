import type { JsonObject } from "../../core/json.ts"
import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { MissingRule } from "../../core/report/comparison.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { differenceColumns } from "../../estimate/sample-differences.ts"
import { countRows } from "../../rows/missing-rows.ts"

/** Kind of the run event that says which samples a retry asks first, and which of its prompts it asked all samples. */
const retryPartEvent = "retry_part"

/** Which samples a retry asks first, and how far its prompts came. */
export interface RetryPart {
  /** Ids of the samples of the cause, and of those that were lost. */
  readonly samples: readonly string[]
  readonly lost: readonly string[]
  /** Names of the prompts that are asked all samples, too. */
  readonly whole: readonly string[]
}

export function saveRetryPart(store: Pick<RunStore, "saveEvent">, runId: string, at: string, part: RetryPart): void {
  store.saveEvent(runId, { at, kind: retryPartEvent, data: { ...part } as unknown as JsonObject })
}

/** How far a retry is; null for a run that is none. */
export function retryPartOf(
  store: Pick<RunStore, "events">,
  { id, retry }: Pick<RunRecord, "id" | "retry">,
): RetryPart | null {
  if (!retry) return null
  let part: RetryPart = { samples: [], lost: [], whole: [] }
  for (const { kind, data } of store.events(id)) if (kind === retryPartEvent) part = data as unknown as RetryPart
  return part
}

/** Which variants of a run are judged: not the candidate that a retry repairs, nor prompts that were asked about the cause alone. */
export interface Judged {
  /** Whether it is compared with the baseline at all, and shares the error rate. */
  isCandidate(variant: string): boolean
  /** Whether it was asked about the samples of a cause alone, from which no verdict follows. */
  isPartial(variant: string): boolean
}

export function judgedOf(store: Pick<RunStore, "events">, record: RunRecord): Judged {
  const whole = retryPartOf(store, record)?.whole
  const { baseline, retry } = record
  const partial = new Set(retry?.prompts.map(({ variant }) => variant).filter((name) => !whole?.includes(name)))
  return {
    isCandidate: (variant) => variant !== baseline && variant !== retry?.candidate,
    isPartial: (variant) => partial.has(variant),
  }
}

/** The variants that the rules of a gate are about. */
export function heldBy<Named extends { readonly name: string; readonly baseline: boolean }>(
  variants: readonly Named[],
  { isCandidate, isPartial }: Judged,
): readonly Named[] {
  return variants.filter(({ name, baseline }) => baseline || (isCandidate(name) && !isPartial(name)))
}

/** A candidate as comparisons see it: one that was asked about a part that was chosen by its losses has nothing to show, and its share of the error rate is spent. */
export function asJudged(variant: ScoredVariant, { isPartial }: Judged): ScoredVariant {
  return isPartial(variant.name) ? { ...variant, answers: [], rows: new Map() } : variant
}

/** What became of the lost samples of a part, and of its others. */
export interface RepairCounts {
  readonly lost: number
  /** Of the lost ones, those that are no loss any more. */
  readonly repaired: number
  /** The others with an answer on both sides, and those of them that are a loss now. */
  readonly others: number
  readonly broken: number
}

/** Rows of one metric, by side. */
export interface RetryRows {
  readonly baseline: readonly MetricRow[]
  readonly before: readonly MetricRow[]
  readonly after: readonly MetricRow[]
}

/**
 * How many losses a changed prompt repairs, and how many it makes. A loss is as large as the smallest of the lost samples or larger: of
 * right and wrong answers every flip, of graded ones what was a loss before.
 *
 * @param isInside whether a sample is counted
 */
export function repairCounts(
  metric: AnyMetric,
  { baseline, before, after }: RetryRows,
  { lost, missing, isInside }: RepairOptions,
): RepairCounts {
  const lossesOf = (rows: readonly MetricRow[]) => {
    const { all } = countRows(metric, baseline, rows, { missing, absentRows: "not_asked" })
    const { ids, difference } = differenceColumns(all)
    const sign = metric.direction === "higher" ? -1 : 1
    return new Map(ids.map((id, i) => [id, Number((sign * (difference[i] as number)).toPrecision(12))]))
  }
  const [was, is] = [lossesOf(before), lossesOf(after)]
  const smallest = Math.min(...[...lost].map((id) => was.get(id) ?? Number.POSITIVE_INFINITY))
  const isLoss = (loss: number) => loss > 0 && loss >= smallest
  const counts = { lost: 0, repaired: 0, others: 0, broken: 0 }
  for (const [id, loss] of is) {
    if (!isInside(id)) continue
    if (isLoss(was.get(id) ?? 0)) {
      counts.lost++
      if (!isLoss(loss)) counts.repaired++
    } else {
      counts.others++
      if (isLoss(loss)) counts.broken++
    }
  }
  return counts
}

/** What {@link repairCounts} counts. */
export interface RepairOptions {
  readonly lost: ReadonlySet<string>
  readonly missing: MissingRule
  isInside(sampleId: string): boolean
}
