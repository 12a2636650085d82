import type { SummaryHelp } from "../analyse/summary/measure-all.ts"
import { createTurns } from "../core/interruption.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import type { RunReport } from "../core/report/report.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { nonVariantPurposes } from "../run/episode/non-variant-purposes.ts"
import { processDurationsMs } from "../run/process-time.ts"
import type { CountTokens } from "../text/o200k.ts"
import { redactValue } from "../text/redact.ts"
import { redactSecrets } from "../text/secrets.ts"
import { methods } from "../wording/methods.ts"
import { noFigure } from "../wording/reasons.ts"
import { costReasons } from "../words/reasons/cost.ts"

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
  help: SummaryHelp = {},
): Promise<RunReport> {
  // What derives a report is a third of the program: calls are made before it is loaded.
  const { buildReport } = await import("./build-report.ts")
  const derived = await buildReport({
    record,
    store,
    evaluation,
    durationMs: processDurationsMs(store, record.id),
    judgeUsd: judgeCosts(store, record),
    countTokens,
    help,
    turn: createTurns(signal, graceMs),
    signal,
  })
  const report = redactValue(derived, redactSecrets)
  store.saveReport(record.id, report)
  return report
}

/** What a question that metrics asked cost, and whose answers it was asked for. */
interface Question {
  readonly costs: (number | null)[]
  readonly variants: string[]
}

/** What a variant's metrics spent on models: null for what has no known price. */
interface JudgeBill {
  readonly costs: (number | null)[]
  calls: number
}

/**
 * What all processes of the run spent on the models that metrics called, by variant. A question that was asked, lost to a kill and
 * answered from the store is one question; where several variants used its answer, the first of the run pays. So it does not matter
 * in which order processes asked. The calls are read once.
 */
export function judgeCosts(
  store: Pick<RunStore, "modelCalls">,
  { id, variants }: Pick<RunRecord, "id" | "variants">,
): (variant: string) => Figure {
  const bills = new Map<string, JudgeBill>()
  const billOf = (variant: string): JudgeBill => {
    const existing = bills.get(variant)
    if (existing) return existing
    const bill: JudgeBill = { costs: [], calls: 0 }
    bills.set(variant, bill)
    return bill
  }
  const questions = new Map<string, Question>()
  for (const call of store.modelCalls(id)) {
    if (nonVariantPurposes.includes(call.purpose)) continue
    const question = questions.get(call.key) ?? { costs: [], variants: [] }
    questions.set(call.key, question)
    if (call.costUsd !== 0) question.costs.push(call.costUsd)
    if (!question.variants.includes(call.variant)) question.variants.push(call.variant)
  }
  const order = new Map(variants.map(({ name }, i) => [name, i]))
  for (const { costs, variants: askers } of questions.values()) {
    const [payer = ""] = [...askers].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    for (const cost of costs) billOf(payer).costs.push(cost)
    for (const asker of askers) billOf(asker).calls++
  }
  return (variant) => {
    const { costs, calls } = billOf(variant)
    const usd = total(costs)
    if (calls === 0) return unknown(costReasons.noJudge)
    return usd === null
      ? unknown(noFigure.judgePrice)
      : { status: "known", value: usd, n: calls, method: methods.judgeUsage }
  }
}

/** Sums in order of size, so that the sum does not depend on who was first; null when one of them is unknown. */
function total(costs: readonly (number | null)[]): number | null {
  const amounts = costs.filter((cost) => cost !== null)
  return amounts.length < costs.length ? null : amounts.sort((a, b) => a - b).reduce((sum, cost) => sum + cost, 0)
}
