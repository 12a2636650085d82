import { estimateUse, requestFor } from "../calls/model-request.ts"
import type { Cost } from "../core/cost.ts"
import type { EpisodeStep } from "../core/episode/step.ts"
import type { Generation } from "../core/generation.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { CallKey, RunStore } from "../core/run/run-store.ts"
import type { Usage } from "../core/usage.ts"
import type { Variant } from "../core/variant.ts"
import type { Spent } from "../cost/budget.ts"
import { costOfGeneration } from "../cost/cost-of-usage.ts"
import { processDurationsMs } from "./process-time.ts"

/**
 * What earlier processes of a run used, from what they stored: answers with their failed attempts, attempts of calls that have
 * no answer yet, and the calls of metrics. What is unknown counts as what was set aside for it.
 *
 * @param onAnswer receives each stored answer, so that they are read once
 */
export function spentBefore(
  store: Pick<RunStore, "generations" | "attempts" | "steps" | "modelCalls" | "events" | "sample">,
  record: RunRecord,
  { variants }: Pick<Evaluation, "variants">,
  onAnswer: (answer: Generation) => void = () => {},
): Spent {
  let [usd, tokens, requests] = [0, 0, 0]
  const add = (variant: Variant, { sampleId, repeat }: CallKey, cost: Cost, { usage, sent }: Used): void => {
    requests += sent
    const known = usage.promptTokens !== null && usage.completionTokens !== null
    const sample = cost.status === "known" && known ? null : store.sample(record.dataset.fingerprint, sampleId)
    const aside = sample && estimateUse(requestFor(variant, sample, repeat), variant.price, variant.provider)
    usd += cost.status === "known" ? cost.usd : (aside?.usd ?? 0)
    tokens += known ? (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0) : (aside?.tokens ?? 0)
  }
  const addStep = (variant: Variant, call: CallKey, step: EpisodeStep): void => {
    if (step.kind !== "model" || step.isReplayed) return
    add(variant, call, step.cost, { usage: step.usage, sent: 1 + step.retries.length })
  }
  for (const variant of variants)
    for (const generation of store.generations(record.id, variant.name)) {
      onAnswer(generation)
      const { source, cost, usage, retries, refused = [], episode } = generation
      if (episode) for (const step of episode.steps) addStep(variant, generation, step)
      else if (source !== "replayed" && source !== "recorded")
        add(variant, generation, cost, { usage, sent: 1 + retries.length + refused.length })
    }
  const byName = new Map(variants.map((variant) => [variant.name, variant]))
  for (const { attempt, ...call } of store.attempts(record.id)) {
    const variant = byName.get(call.variant)
    if (!variant) continue
    const cost = costOfGeneration({ ...attempt, retries: [] }, variant.price)
    add(variant, call, cost, { usage: attempt.usage, sent: 1 })
  }
  for (const { step, ...call } of store.steps(record.id)) {
    const variant = byName.get(call.variant)
    if (variant) addStep(variant, call, step)
  }
  for (const call of store.modelCalls(record.id)) {
    usd += call.costUsd ?? call.asideUsd ?? 0
    tokens += call.tokens ?? call.asideTokens ?? 0
    requests += call.requests
  }
  return { usd, tokens, requests, minutes: processDurationsMs(store, record.id) / 60_000 }
}

/** What was used by one call, and how many requests it took. */
interface Used {
  readonly usage: Usage
  readonly sent: number
}
