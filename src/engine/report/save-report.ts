import { type Figure, unknown } from "../../core/report/figure.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { CountTokens } from "../../text/o200k.ts"
import { processDurationsMs } from "../run/process-time.ts"
import { buildReport } from "./build-report.ts"

/** Derives the report of a run from its rows and keeps it, so that renderers need neither config nor metrics. */
export function saveReport(
  store: RunStore,
  record: RunRecord,
  evaluation: Evaluation,
  countTokens: CountTokens,
): RunReport {
  const report = buildReport({
    record,
    store,
    evaluation,
    durationMs: processDurationsMs(store, record.id),
    judgeUsd: (variant) => judgeCost(store, record.id, variant),
    countTokens,
  })
  store.saveReport(record.id, report)
  return report
}

/** What all processes of the run spent on the models that metrics called for the variant. Runs of older stores have it in events. */
export function judgeCost(store: Pick<RunStore, "events" | "modelCalls">, runId: string, variant: string): Figure {
  let usd: number | null = 0
  let calls = 0
  // A question that was asked, lost to a kill and answered from the store on resume is one question.
  const asked = new Set<string>()
  for (const call of store.modelCalls(runId)) {
    if (call.variant !== variant) continue
    if (!asked.has(call.key)) calls++
    asked.add(call.key)
    usd = usd === null || call.costUsd === null ? null : usd + call.costUsd
  }
  for (const { kind, data } of store.events(runId)) {
    if (kind !== "model_calls" || data.variant !== variant) continue
    calls += Number(data.calls) + Number(data.replayed)
    usd = usd === null || typeof data.costUsd !== "number" ? null : usd + data.costUsd
  }
  if (calls === 0) return unknown("no judge was asked")
  return usd === null
    ? unknown("the price of a model or service that metrics called is unknown")
    : { status: "known", value: usd, n: calls, method: "sum of priced usage of the models that metrics called" }
}
