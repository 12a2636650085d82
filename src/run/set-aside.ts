import type { Cost } from "../core/cost.ts"
import { callId } from "../core/run/call-id.ts"
import type { Budget } from "../core/run/evaluation.ts"
import type { Sample } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import type { BudgetTracker, Estimate, Reservation } from "../cost/budget.ts"
import { metricUse } from "../score/metric-use.ts"
import { isFinalRow, isOfFailure } from "../score/standing-rows.ts"
import type { RunStage } from "./run-stage.ts"

/** What an answer and judging it may use at most. */
export interface AnswerUse {
  readonly answer: Estimate
  /** Null where no budget or no metric asks for it. */
  readonly judging: Estimate | null
  readonly together: Estimate
}

/** Of an answer that is read from a record: nobody is paid for it again. */
export const noUse: Estimate = { usd: 0, tokens: 0, requests: 0 }

/** Of an answer that is judged as a part of something larger, or that nothing is set aside for. */
export function unjudged(answer: Estimate): AnswerUse {
  return { answer, judging: null, together: answer }
}

/** Adds to what an answer may use at most what judging it may use. */
export async function answerUse(
  { evaluation: { budget, metrics } }: Pick<RunStage, "evaluation">,
  variant: Variant,
  sample: Sample,
  answer: Estimate,
): Promise<AnswerUse> {
  const uses = isLimited(budget)
    ? (await Promise.all(metrics.map((metric) => metricUse(metric, sample, variant)))).flat()
    : []
  const judging = uses.length === 0 ? null : uses.reduce(add, { usd: 0, tokens: 0, requests: 0 })
  return { answer, judging, together: judging ? add(answer, judging) : answer }
}

/** Keeps what judging the answers of earlier processes may take, as far as they have no scores yet. */
export async function holdUnjudged({ evaluation, store, record, control }: RunStage): Promise<void> {
  const { budget, metrics, variants } = evaluation
  const asking = metrics.filter(({ asks = [], meters = [] }) => asks.length + meters.length > 0)
  if (!isLimited(budget) || asking.length === 0) return
  for (const variant of variants) {
    const scores = new Map<string, number>()
    for (const { name } of asking)
      for (const row of store.rows(record.id, variant.name, name))
        if (isFinalRow(row.measured, true) || isOfFailure(row.measured))
          scores.set(callId(row), (scores.get(callId(row)) ?? 0) + 1)
    for (const call of store.finishedFrom(record.id, variant.name, 0)) {
      const sample =
        scores.get(callId(call)) === asking.length ? null : store.sample(record.dataset.fingerprint, call.sampleId)
      const { judging } = sample ? await answerUse({ evaluation }, variant, sample, noUse) : { judging: null }
      if (judging) control.budget.hold(judging)
    }
  }
}

/**
 * What is set aside for both: once the answer is there, the part for judging it stays. What is not known of the answer counts as what was
 * set aside for it alone.
 */
export function keepingJudging(
  budget: BudgetTracker,
  reservation: Reservation,
  { answer, judging }: Pick<AnswerUse, "answer" | "judging">,
): Reservation {
  if (!judging) return reservation
  return {
    release: reservation.release,
    settle({ cost, tokens, ...more }) {
      const usd = cost.status === "known" ? cost.usd : Math.max(answer.usd ?? 0, cost.atLeastUsd ?? 0)
      const atMost: Cost = { status: "known", usd, parts: {} }
      reservation.settle({ cost: atMost, tokens: tokens ?? answer.tokens, ...more })
      budget.hold(judging)
    },
  }
}

function isLimited({ usd, tokens, requests }: Budget): boolean {
  return usd !== undefined || tokens !== undefined || requests !== undefined
}

function add(estimate: Estimate, other: Estimate): Estimate {
  return {
    usd: estimate.usd === null && other.usd === null ? null : (estimate.usd ?? 0) + (other.usd ?? 0),
    tokens: estimate.tokens + other.tokens,
    requests: (estimate.requests ?? 1) + (other.requests ?? 1),
  }
}
