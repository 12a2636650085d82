import { betSamples } from "../analyse/interim/bet-samples.ts"
import { interimAnalysis } from "../analyse/interim/interim-analysis.ts"
import { clustersOf } from "../analyse/interim/run-design.ts"
import type { InterimState, StoppingRecord } from "../analyse/interim/stopped-early.ts"
import { UsageError } from "../core/errors.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { CallFilter, Plan } from "../run/plan.ts"
import { lookLadder } from "../stats/sequential/look-ladder.ts"
import { guaranteeOf } from "../wording/looks.ts"

/** What asking until everything is decided needs. */
export interface UntilDecidedOptions {
  readonly evaluation: Evaluation
  readonly plan: Plan
  readonly store: RunStore
  readonly runId: string
  readonly dataset: string
  readonly signal: AbortSignal
  /** Makes the calls that the filter lets through, and scores their answers; returns whether all that are on record have their scores. */
  ask(filter: CallFilter): Promise<boolean>
  /** Receives the record before the first look and after each, to be stored. */
  onLook(record: StoppingRecord): void
}

/**
 * Asks the samples in seeded order up to the next planned look, and stops asking a candidate once its comparison with the
 * baseline is settled at the look's level; the baseline is asked as long as any candidate is open. A look decides by the same
 * function and from the same rows as the report, and is derived from the stored rows, so an interrupted run goes on
 * where it was. A look that a budget or an endpoint leaves without some of its answers is not read: which are missing is no chance.
 * @throws {UsageError} without a baseline and candidates, or when a primary metric is no mean over samples
 */
export async function askUntilDecided(options: UntilDecidedOptions): Promise<StoppingRecord> {
  const { evaluation, plan, store, dataset, signal } = options
  const candidates = candidatesOf(evaluation)
  const looks = lookLadder(plan.order.length)
  const asked = new Map(evaluation.variants.map(({ name }) => [name, 0]))
  const at = new Map(candidates.map((name) => [name, 0]))
  let states: readonly InterimState[] = candidates.map((candidate) => ({ candidate, status: "open", samples: 0 }))
  const bets = betSamples(
    plan.order,
    clustersOf(store, { id: options.runId, dataset: { fingerprint: dataset } }),
    evaluation.seed,
  )
  const record = (): StoppingRecord => ({
    asked,
    at,
    states,
    looks,
    guarantee: guaranteeOf(evaluation, looks),
  })
  options.onLook(record())
  for (const [look, to] of looks.entries()) {
    const open = new Set(states.flatMap(({ candidate, status }) => (status === "open" ? [candidate] : [])))
    if (open.size === 0 || signal.aborted) break
    const names = evaluation.variants
      .map(({ name }) => name)
      .filter((name) => open.has(name) || name === evaluation.baseline)
    const isScored = await options.ask((call) => call.order < to && names.includes(call.variant))
    if (signal.aborted) break
    for (const name of names) asked.set(name, to)
    const ids = plan.order.slice(0, to)
    const isAnswered = (name: string) =>
      store.finishedTo(options.runId, name, ids).length === ids.length * evaluation.repeats
    if (!isScored || !names.every(isAnswered)) break
    for (const name of open) at.set(name, look)
    states = interimAnalysis({
      ...options,
      candidates,
      design: { kind: "looks", order: plan.order, samples: looks, at, bets },
    })
    options.onLook(record())
  }
  return record()
}

function candidatesOf({ variants, baseline, primary, metrics }: Evaluation): readonly string[] {
  const candidates = variants.map(({ name }) => name).filter((name) => name !== baseline)
  if (baseline === null || candidates.length === 0) {
    throw new UsageError("there is nothing to decide between", {
      where: "--until decided",
      hint: "it needs a baseline and at least one other variant",
    })
  }
  for (const metric of metrics.filter(({ name }) => primary.includes(name)))
    if (metric.aggregation.kind !== "mean")
      throw new UsageError("the run cannot stop early on this metric", {
        where: `${metric.name} is not a mean over samples`,
        hint: "choose another primary metric",
      })
  return candidates
}
