import { createTurns } from "../../core/interruption.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { CountTokens } from "../../text/o200k.ts"
import { apartPurposes } from "../episode/apart-purposes.ts"
import { processDurationsMs } from "../run/process-time.ts"
import { buildReport } from "./build-report.ts"

/** Once it is interrupted, a report that is nearly derived is finished: that long, in milliseconds. */
const graceMs = 1000

/**
 * Derives the report of a run from its rows and keeps it, so that renderers need neither config nor metrics.
 *
 * @throws {EvalkitError} `interrupted` when the signal is aborted and it takes longer than a second from then on; nothing is kept
 */
export async function saveReport(
  store: RunStore,
  record: RunRecord,
  evaluation: Evaluation,
  countTokens: CountTokens,
  signal: AbortSignal,
): Promise<RunReport> {
  const report = await buildReport({
    record,
    store,
    evaluation,
    durationMs: processDurationsMs(store, record.id),
    judgeUsd: judgeCosts(store, record.id),
    countTokens,
    turn: createTurns(signal, graceMs),
    signal,
  })
  store.saveReport(record.id, report)
  return report
}

/** What a variant's metrics spent on models. */
interface JudgeBill {
  /** Null when a call has no known price. */
  usd: number | null
  calls: number
  /** A question that was asked, lost to a kill and answered from the store on resume is one question. */
  readonly asked: Set<string>
}

/**
 * What all processes of the run spent on the models that metrics called, by variant. The calls are read once. Runs of older stores
 * have them in events.
 */
export function judgeCosts(store: Pick<RunStore, "events" | "modelCalls">, runId: string): (variant: string) => Figure {
  const bills = new Map<string, JudgeBill>()
  const billOf = (variant: string): JudgeBill => {
    const known = bills.get(variant)
    if (known) return known
    const bill: JudgeBill = { usd: 0, calls: 0, asked: new Set() }
    bills.set(variant, bill)
    return bill
  }
  const add = (bill: JudgeBill, calls: number, usd: number | null): void => {
    bill.calls += calls
    bill.usd = bill.usd === null || usd === null ? null : bill.usd + usd
  }
  for (const call of store.modelCalls(runId)) {
    if (apartPurposes.includes(call.purpose)) continue
    const bill = billOf(call.variant)
    add(bill, bill.asked.has(call.key) ? 0 : 1, call.costUsd)
    bill.asked.add(call.key)
  }
  for (const { kind, data } of store.events(runId)) {
    if (kind !== "model_calls") continue
    const usd = typeof data.costUsd === "number" ? data.costUsd : null
    add(billOf(String(data.variant)), Number(data.calls) + Number(data.replayed), usd)
  }
  return (variant) => {
    const { usd, calls } = billOf(variant)
    if (calls === 0) return unknown("no judge was asked")
    return usd === null
      ? unknown("the price of a model or service that metrics called is unknown")
      : { status: "known", value: usd, n: calls, method: "sum of priced usage of the models that metrics called" }
  }
}
