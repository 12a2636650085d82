import { UsageError } from "../../core/errors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { createStoppingRule, type StoppingRule, type StoppingState, stoppingObstacle } from "./early-stopping.ts"
import type { CallFilter, Plan } from "./plan.ts"

/** Samples that are asked between two looks. */
const roundSize = 25

/** What asking until everything is decided needs. */
export interface UntilDecidedOptions {
  readonly evaluation: Evaluation
  readonly plan: Plan
  readonly store: RunStore
  readonly runId: string
  readonly signal: AbortSignal
  /** Makes the calls that the filter lets through, and scores their answers. */
  ask(wanted: CallFilter): Promise<void>
  onRound(states: readonly StoppingState[]): void
}

/** How far it went. */
export interface UntilDecidedResult {
  /** Samples that each variant was asked. */
  readonly asked: ReadonlyMap<string, number>
  readonly states: readonly StoppingState[]
  readonly guarantee: string
}

/**
 * Asks the samples in seeded order, a round at a time, and stops asking a candidate once its comparison with the baseline
 * is settled; the baseline is asked as long as any candidate is open. The rule is derived from the stored rows at every
 * look, so an interrupted run goes on where it was.
 * @throws {UsageError} without a baseline and candidates, or when a primary metric is no bounded mean
 */
export async function askUntilDecided(options: UntilDecidedOptions): Promise<UntilDecidedResult> {
  const { evaluation, plan, signal } = options
  const candidates = candidatesOf(evaluation)
  refuseClusters(options)
  const asked = new Map(evaluation.variants.map(({ name }) => [name, 0]))
  let rule = ruleOf(options, candidates, 0)
  for (let from = 0; from < plan.order.length && rule.open().length > 0 && !signal.aborted; from += roundSize) {
    const to = Math.min(plan.order.length, from + roundSize)
    const open = new Set([...rule.open(), evaluation.baseline])
    await options.ask((call) => call.order >= from && call.order < to && open.has(call.variant))
    for (const name of open) if (name !== null) asked.set(name, to)
    rule = ruleOf(options, candidates, to)
    options.onRound(rule.states())
  }
  return { asked, states: rule.states(), guarantee: rule.guarantee }
}

function candidatesOf({ variants, baseline, primary, metrics }: Evaluation): readonly string[] {
  const candidates = variants.map(({ name }) => name).filter((name) => name !== baseline)
  if (baseline === null || candidates.length === 0) {
    throw new UsageError("there is nothing to decide between", {
      where: "--until decided",
      hint: "it needs a baseline and at least one other variant",
    })
  }
  for (const metric of metrics.filter(({ name }) => primary.includes(name))) {
    const obstacle = stoppingObstacle(metric)
    if (obstacle)
      throw new UsageError("the run cannot stop early on this metric", {
        where: obstacle,
        hint: "choose another primary metric",
      })
  }
  return candidates
}

/** The bets assume samples that are independent in the order in which they are asked. */
function refuseClusters({ store, runId }: UntilDecidedOptions): void {
  const dataset = store.run(runId)?.dataset
  if (!dataset) return
  for (const { id, cluster } of store.samples(dataset.fingerprint))
    if (cluster !== undefined)
      throw new UsageError("the run cannot stop early on samples that belong to clusters", {
        where: `sample ${id}, cluster ${cluster}`,
        hint: "ask all samples, or leave the cluster field out if they are independent",
      })
}

/** The stopping rule after the first `count` samples of the order, from what is in the store. */
function ruleOf(
  { evaluation, plan, store, runId }: UntilDecidedOptions,
  candidates: readonly string[],
  count: number,
): StoppingRule {
  const metrics = evaluation.metrics.filter(({ name }) => evaluation.primary.includes(name))
  const rule = createStoppingRule({ candidates, metrics, margin: evaluation.margin, alpha: evaluation.alpha })
  if (count === 0) return rule
  for (const { name } of metrics) {
    const baseline = sampleMeans(store, runId, evaluation.baseline ?? "", name)
    for (const candidate of candidates) {
      const values = sampleMeans(store, runId, candidate, name)
      for (const id of plan.order.slice(0, count)) {
        const [a, b] = [baseline.get(id), values.get(id)]
        if (a !== undefined && b !== undefined) rule.add(candidate, name, a, b)
      }
    }
  }
  return rule
}

/** Mean over the repeats of each sample; samples without a score are left out. */
function sampleMeans(store: RunStore, runId: string, variant: string, metric: string): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { sampleId, value } of store.rows(runId, variant, metric)) {
    if (value === null) continue
    const known = sums.get(sampleId) ?? { sum: 0, count: 0 }
    sums.set(sampleId, { sum: known.sum + value, count: known.count + 1 })
  }
  return new Map([...sums].map(([id, { sum, count }]) => [id, sum / count]))
}
