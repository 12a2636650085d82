import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { Spent } from "../../cost/budget.ts"
import { estimateUse, requestFor } from "./generate/model-request.ts"

/**
 * What earlier processes of a run used, from what they stored: answers with their failed attempts, and the calls of metrics.
 * What is unknown counts as what was set aside for it. Minutes are those of processes that ended by themselves; one that
 * was killed leaves no end.
 */
export function spentBefore(
  store: Pick<RunStore, "generations" | "modelCalls" | "events" | "sample">,
  record: RunRecord,
  { variants }: Pick<Evaluation, "variants">,
): Spent {
  let [usd, tokens, requests, minutes] = [0, 0, 0, 0]
  for (const variant of variants)
    for (const generation of store.generations(record.id, variant.name)) {
      if (generation.source === "replayed") continue
      const { cost, usage, retries, sampleId, repeat } = generation
      requests += 1 + retries.length
      const known = usage.promptTokens !== null && usage.completionTokens !== null
      if (cost.status === "known" && known) {
        usd += cost.usd
        tokens += (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0)
        continue
      }
      const sample = store.sample(record.dataset.fingerprint, sampleId)
      const aside = sample && estimateUse(requestFor(variant, sample, repeat), variant.price)
      usd += cost.status === "known" ? cost.usd : (aside?.usd ?? 0)
      tokens += known ? (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0) : (aside?.tokens ?? 0)
    }
  for (const call of store.modelCalls(record.id)) {
    usd += call.costUsd ?? call.asideUsd ?? 0
    tokens += call.tokens ?? call.asideTokens ?? 0
    requests += call.requests
  }
  for (const { kind, data } of store.events(record.id))
    if (kind === "process_ended") minutes += Number(data.durationMs) / 60_000
  return { usd, tokens, requests, minutes }
}
