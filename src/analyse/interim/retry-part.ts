import type { JsonObject } from "../../core/json.ts"
import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { MissingRule } from "../../core/report/comparison.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { differenceColumns } from "../../estimate/sample-differences.ts"
import { countRows } from "../../rows/missing-rows.ts"
import { meanInterval } from "../../stats/intervals/mean-interval.ts"

/** Kind of the run event that says which samples a retry asks first, and which of its prompts it asked all samples. */
const retryPartEvent = "retry_part"

/** Which samples a retry asks first, and how far its prompts came. @experimental */
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

/** The variants that a run asked itself: a retry took the others over. */
export function ownVariants({ variants, retry }: Pick<RunRecord, "variants" | "retry">): readonly string[] {
  return retry ? retry.prompts.map(({ variant }) => variant) : variants.map(({ name }) => name)
}

/** A candidate as comparisons see it: one that was asked about a part that was chosen by its losses has nothing to show, and its share of the error rate is spent. */
export function asJudged(variant: ScoredVariant, { isPartial }: Judged): ScoredVariant {
  return isPartial(variant.name) ? { ...variant, answers: [], rows: new Map() } : variant
}

/** What became of the lost samples of a part, and of its others. */
export interface RepairCounts {
  readonly lost: number
  /** Of the lost ones, those that are no loss any more, with the interval of their share at 1 − alpha, by clusters; null bound: not bounded. */
  readonly repaired: number
  readonly low: number | null
  readonly high: number | null
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
  { lost, missing, alpha, isInside }: RepairOptions,
): RepairCounts {
  const sign = metric.direction === "higher" ? -1 : 1
  const lossesOf = (rows: readonly MetricRow[]) => {
    const { all } = countRows(metric, baseline, rows, { missing, absentRows: "not_asked" })
    const { ids, difference } = differenceColumns(all)
    const losses = new Map(ids.map((id, i) => [id, Number((sign * (difference[i] as number)).toPrecision(12))]))
    return { losses, clusters: new Map(all.map(({ sampleId, cluster = sampleId }) => [sampleId, cluster])) }
  }
  const [was, is] = [lossesOf(before).losses, lossesOf(after)]
  const smallest = Math.min(...[...lost].map((id) => was.get(id) ?? Number.POSITIVE_INFINITY))
  const isLoss = (loss: number) => loss > 0 && loss >= smallest
  const counted = [...is.losses].filter(([id]) => isInside(id))
  const [wereLost, others] = [true, false].map((loss) => counted.filter(([id]) => isLoss(was.get(id) ?? 0) === loss))
  const repaired = (wereLost ?? []).map(([, loss]) => Number(!isLoss(loss)))
  const keys = (wereLost ?? []).map(([id]) => is.clusters.get(id) ?? id)
  const { low, high } = keys.length === 0 ? { low: null, high: null } : meanInterval(repaired, keys, [0, 1], alpha)
  return {
    lost: keys.length,
    repaired: repaired.filter(Boolean).length,
    low,
    high,
    others: others?.length ?? 0,
    broken: (others ?? []).filter(([, loss]) => isLoss(loss)).length,
  }
}

/** What {@link repairCounts} counts. */
export interface RepairOptions {
  readonly lost: ReadonlySet<string>
  readonly missing: MissingRule
  readonly alpha: number
  isInside(sampleId: string): boolean
}
