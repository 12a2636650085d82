import type { RunDigest, RunFacts } from "../../../reports/view/listed-run.ts"
import { decidingComparison } from "../../../reports/view-model/comparisons.ts"
import { variantColumns } from "../../../reports/view-model/variant-columns.ts"
import { wholeFailure } from "../../../reports/wording/whole-failure.ts"
import { asksJudge } from "../../core/metric/asks-judge.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import { dataName } from "../../words/data-name.ts"

/**
 * What a list shows of a run's record, which does not change.
 *
 * @param asked samples that a shard was started for; default: all
 */
export function factsOf(record: RunRecord, asked = record.dataset.samples): RunFacts {
  const { id, kind, name, startedAt, dataset, repeats, variants, metrics } = record
  return {
    id,
    name,
    startedAt,
    dataset: dataName(dataset),
    samples: dataset.samples,
    asked,
    planned: asked * repeats * variants.length,
    variants: variants.map((variant) => variant.name),
    isJudged: metrics.some(asksJudge),
    isBench: kind === "bench",
  }
}

/** What a list shows of a report: the verdict, and three figures of each variant. */
export function digestOf(report: RunReport): RunDigest {
  const columns = variantColumns(report)
  const shown = [
    columns.find(({ primary }) => primary) ?? columns.find(({ id }) => id === report.metrics[0]?.name),
    columns.find(({ id }) => id === "e2eMs"),
    columns.find(({ id }) => id === "perThousandUsd"),
  ].filter((column) => column !== undefined)
  const failure = wholeFailure(report)
  return {
    verdict: report.decision?.verdict ?? null,
    hasAnswer: failure === null,
    failure: failure === null || failure.kind === "undecided" ? null : failure.title,
    shown: shownVariants(report),
    columns: shown.map(({ id, title, unit, goal }) => ({ id, title: title.replace("/p99", ""), unit, goal })),
    figures: Object.fromEntries(
      report.variants.map((variant) => [variant.name, shown.map((column) => column.figure(variant))]),
    ),
  }
}

/** The baseline, and the variant that the verdict is about. */
function shownVariants(report: RunReport): readonly string[] {
  const baseline = report.variants.find((variant) => variant.baseline) ?? report.variants[0]
  const candidate = decidingComparison(report)?.candidate
  return [...new Set([baseline?.name, candidate])].filter((name) => name !== undefined)
}
