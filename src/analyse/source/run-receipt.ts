import { createHash } from "node:crypto"
import { UsageError } from "../../core/errors.ts"
import type { Generation } from "../../core/generation.ts"
import { contentHash } from "../../core/json.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Comparison, MetricComparison } from "../../core/report/comparison.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { ReceiptBody, ReceiptCandidate, ReceiptRetry } from "../../core/report/receipt.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { MetricRecord, RetryRecord, RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { receiptFaults } from "../../wording/receipt.ts"
import { decideSource } from "../decide/decide-source.ts"
import { reportInput } from "../summary/report-input.ts"
import { decidingFacts } from "../summary/run-difference.ts"
import { storedSource } from "./stored-source.ts"

/** Digests of samples that a receipt holds at most: more samples share one. */
const maxDigests = 4096

/**
 * What a receipt says of a run: verdicts and figures computed anew from its stored answers and scores, as `evalkit compare` does.
 *
 * @param recreate makes a metric of the catalogue again; null when it cannot
 * @throws {UsageError} for a run without a report or a baseline, or whose deciding metrics need the config
 */
export async function receiptOf(
  store: RunStore,
  record: RunRecord,
  recreate: (record: MetricRecord) => AnyMetric | null,
): Promise<ReceiptBody> {
  const { id, startedAt, finishedAt, status, versions, baseline, retry } = record
  const { report } = reportInput(store, record)
  if (baseline === null || report.comparisons.length === 0)
    throw new UsageError(receiptFaults.noVerdict, { where: `run ${id}`, hint: receiptFaults.needsTwo })
  const loadMetrics = async () => ({ metrics: [], cause: receiptFaults.noConfig })
  const candidates: ReceiptCandidate[] = []
  for (const { candidate } of report.comparisons) {
    const names = [`${id}:${baseline}`, `${id}:${candidate}`] as const
    candidates.push(foundOf(decideSource(await storedSource({ names, store, loadMetrics, recreate }))))
  }
  const { plan } = report
  const isKept = plan?.differences.length === 0 && Date.parse(plan.frozenAt) <= Date.parse(plan.startedAt)
  return {
    schema: "evalkit.receipt/1",
    run: { id, startedAt, finishedAt, status, versions, ...(retry && { retry: triesOfRetry(retry) }) },
    baseline,
    candidates,
    plan: plan ? { frozenAt: plan.frozenAt, sha256: plan.sha256, isKept } : null,
    decides: decidingFacts(record),
    ...hashesOf(store, record),
  }
}

function triesOfRetry({ of, first, base, triesBefore, firstAlpha, prompts, baseTexts }: RetryRecord): ReceiptRetry {
  return { of, first, base, triesBefore, firstAlpha, prompts: prompts.length, earlierPrompts: baseTexts.length }
}

/**
 * A receipt of another verdict than the run's report shows would surprise whoever read the report.
 *
 * @throws {UsageError} where a candidate's verdict differs
 */
export function refuseOtherVerdict(
  { run, candidates }: ReceiptBody,
  { comparisons }: Pick<RunReport, "comparisons">,
): void {
  for (const { candidate, verdict } of candidates) {
    const shown = comparisons.find((comparison) => comparison.candidate === candidate)?.verdict
    if (shown === verdict) continue
    const where = `run ${run.id}, ${candidate}: ${shown}, ${verdict}`
    throw new UsageError(receiptFaults.otherReport, { code: "receipt_refused", where, hint: receiptFaults.scoreAgain })
  }
}

function foundOf(comparison: Comparison): ReceiptCandidate {
  const { candidate, verdict, basis, quality, metrics, performance, limits, critical = [], breaks = [] } = comparison
  return {
    candidate,
    verdict,
    basis,
    quality,
    metrics: metrics.map((metricComparison) => ({
      metric: metricComparison.metric,
      primary: metricComparison.primary,
      pairs: metricComparison.pairs,
      baseline: rounded(metricComparison.meanBaseline),
      candidate: rounded(metricComparison.meanCandidate),
      difference: rounded(metricComparison.difference),
      low: rounded(metricComparison.low),
      high: rounded(metricComparison.high),
      worst: rounded(worstOf(metricComparison)),
      margin: metricComparison.margin,
      verdict: metricComparison.verdict,
    })),
    performance: Object.entries(performance).map(([figure, result]) => ({
      figure,
      value: rounded(figureValue(result)),
      n: result.status === "known" ? result.n : 0,
    })),
    limits: limits.map(({ limit, state }) => ({ limit, state })),
    critical: new Set(critical.flatMap(({ broken }) => broken)).size,
    breaks: breaks.map(({ metric, broken }) => ({ metric, broken: broken.length })),
  }
}

function worstOf({ direction, lowBound = null, highBound = null }: MetricComparison): number | null {
  return direction === "higher" ? lowBound : highBound
}

/** Ten significant digits: the last ones of a double depend on the machine. */
function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(10))
}

function hashesOf(store: RunStore, record: RunRecord): Pick<ReceiptBody, "answers" | "scores" | "samples"> {
  const bySample = new Map<string, string>()
  for (const sample of store.samples(record.dataset.fingerprint)) bySample.set(sample.id, contentHash(sample))
  const answers = record.variants.map(({ name }) => {
    const hash = createHash("sha256")
    let costUsd: number | null = 0
    for (const generation of store.generations(record.id, name, "sample")) {
      const own = contentHash(contentOf(generation), 64)
      hash.update(own)
      bySample.set(generation.sampleId, contentHash([bySample.get(generation.sampleId) ?? null, own]))
      const { cost } = generation
      costUsd = costUsd === null || cost.status === "unknown" ? null : costUsd + cost.usd
    }
    return { variant: name, sha256: hash.digest("hex"), costUsd: rounded(costUsd) }
  })
  const scores = record.metrics.map(({ name }) => {
    const hash = createHash("sha256")
    for (const variant of record.variants)
      for (const { sampleId, repeat, value } of store.rows(record.id, variant.name, name))
        hash.update(contentHash([variant.name, sampleId, repeat, value], 64))
    return { metric: name, sha256: hash.digest("hex") }
  })
  const perDigest = Math.max(1, Math.ceil(bySample.size / maxDigests))
  const each = [...bySample.values()]
  const groups = Array.from({ length: Math.ceil(each.length / perDigest) }, (_, i) =>
    contentHash(each.slice(i * perDigest, (i + 1) * perDigest), 8),
  )
  return { answers, scores, samples: { perDigest, digests: groups.join("") } }
}

/** What an answer says, without its times and its cost. */
function contentOf({ variant, sampleId, repeat, outcome, text, reasoning, toolCalls, returned }: Generation) {
  return { variant, sampleId, repeat, outcome, text, reasoning, toolCalls, returned }
}
