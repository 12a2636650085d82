import type { Cost } from "../core/cost.ts"
import type { EpisodeStep } from "../core/episode/step.ts"
import type { Generation } from "../core/generation.ts"
import type { Variant } from "../core/variant.ts"
import { costOfGeneration } from "./cost-of-usage.ts"

/** An answer with the cost that the price of a variant says. */
export function repriced(generation: Generation, { price }: Variant): Generation {
  const { episode } = generation
  if (!episode) {
    const cost = costOfGeneration(generation, price, { batch: generation.source === "batch" })
    return { ...generation, cost }
  }
  const steps = episode.steps.map(
    (step): EpisodeStep => (step.kind === "model" ? { ...step, cost: costOfGeneration(step, price) } : step),
  )
  const costs = steps.flatMap((step) => (step.kind === "model" ? [step.cost] : []))
  return { ...generation, episode: { ...episode, steps }, cost: addCosts(costs) }
}

/** What several answers cost together, those of an episode for instance. One whose cost is not known makes the sum unknown; the rest is a lower bound. */
export function addCosts(costs: readonly Cost[]): Cost {
  const parts: Record<string, number> = {}
  let usd = 0
  let reason: string | null = null
  for (const cost of costs) {
    if (cost.status === "unknown") {
      reason ??= cost.reason
      usd += cost.atLeastUsd ?? 0
      continue
    }
    usd += cost.usd
    for (const [name, amount] of Object.entries(cost.parts)) parts[name] = (parts[name] ?? 0) + amount
  }
  if (reason !== null) return { status: "unknown", reason, ...(usd > 0 && { atLeastUsd: usd }) }
  return costs.length === 0 ? { status: "unknown", reason: "no answer came" } : { status: "known", usd, parts }
}
