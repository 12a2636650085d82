import { estimateUse, requestFor } from "../calls/model-request.ts"
import type { EpisodeStep } from "../core/episode/step.ts"
import type { Attempt, Generation } from "../core/generation.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { CallKey, RunStore } from "../core/run/run-store.ts"
import type { Variant } from "../core/variant.ts"
import type { Spent } from "../cost/budget.ts"
import { spendingOf } from "../cost/cost-of-usage.ts"
import { processDurationsMs } from "./process-time.ts"

/**
 * What earlier processes of a run used, from what they stored: answers with their failed attempts, attempts of calls that have
 * no answer yet, and the calls of metrics. What is unknown counts as what was set aside for it. The answers that a retry took over were paid for
 * by the run that it repairs.
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
  const add = (variant: Variant, { sampleId, repeat }: CallKey, attempt: Used): void => {
    requests++
    const spent = spendingOf(attempt, variant.price, { batch: attempt.isBatch ?? false })
    const isKnown = spent.cost.status === "known" && spent.tokens !== null
    const sample = isKnown ? null : store.sample(record.dataset.fingerprint, sampleId)
    const aside = sample && estimateUse(requestFor(variant, sample, repeat), variant.price, variant.provider)
    usd += spent.cost.status === "known" ? spent.cost.usd : (aside?.usd ?? 0)
    tokens += spent.tokens ?? aside?.tokens ?? 0
  }
  const addAll = (variant: Variant, call: CallKey, last: Used, before: readonly Used[]): void => {
    for (const attempt of [...before, last]) add(variant, call, attempt)
  }
  const addStep = (variant: Variant, call: CallKey, step: EpisodeStep): void => {
    if (step.kind === "model" && !step.isReplayed) addAll(variant, call, step, step.retries)
  }
  const own = record.retry && new Set(record.retry.prompts.map((prompt) => prompt.variant))
  const isOwn = (name: string) => own?.has(name) ?? true
  for (const variant of variants)
    for (const generation of store.generations(record.id, variant.name)) {
      onAnswer(generation)
      if (!isOwn(variant.name)) continue
      const { source, retries, refused = [], episode } = generation
      if (episode) for (const step of episode.steps) addStep(variant, generation, step)
      else if (source !== "replayed" && source !== "recorded")
        addAll(variant, generation, { ...generation, isBatch: source === "batch" }, [...retries, ...refused])
    }
  const byName = new Map(variants.map((variant) => [variant.name, variant]))
  for (const { attempt, ...call } of store.attempts(record.id)) {
    const variant = byName.get(call.variant)
    if (variant) add(variant, call, attempt)
  }
  for (const { step, ...call } of store.steps(record.id)) {
    const variant = byName.get(call.variant)
    if (variant) addStep(variant, call, step)
  }
  for (const call of store.modelCalls(record.id)) {
    if (!isOwn(call.variant)) continue
    usd += call.costUsd ?? call.asideUsd ?? 0
    tokens += call.tokens ?? call.asideTokens ?? 0
    requests += call.requests
  }
  return { usd, tokens, requests, minutes: processDurationsMs(store, record.id) / 60_000 }
}

/** One request, as far as it tells what it used. */
type Used = Pick<Attempt, "usage" | "outcome" | "log"> & { readonly isBatch?: boolean }
