import type { Cost } from "../core/cost.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { Variant } from "../core/variant.ts"
import { repriced } from "../cost/price-answer.ts"

/** What prices changed of one variant of a stored run. */
export interface RepricedVariant {
  readonly variant: string
  readonly answers: number
  /** Answers whose cost is another one now. */
  readonly changed: number
  /** Sums of the costs that are known, in US dollars. */
  readonly beforeUsd: number
  readonly afterUsd: number
  /** Answers whose cost is not known, and why that of the first is not. */
  readonly unknown: number
  readonly reason: string | null
}

/**
 * Gives the stored answers of a run the cost that the variants' prices say, from the usage that is on record. Scores stay as they are.
 * Answers of other tools, of whose usage nothing is known, keep what they have.
 */
export function repriceRun(store: RunStore, record: RunRecord, variants: readonly Variant[]): RepricedVariant[] {
  return variants.map((variant) => {
    let [answers, changed, unknown, beforeUsd, afterUsd] = [0, 0, 0, 0, 0]
    let reason: string | null = null
    for (const generation of store.generations(record.id, variant.name)) {
      answers++
      const priced = generation.source === "foreign" ? generation : repriced(generation, variant)
      beforeUsd += knownUsd(generation.cost)
      afterUsd += knownUsd(priced.cost)
      if (priced.cost.status === "unknown") {
        unknown++
        reason ??= priced.cost.reason
      }
      if (isSameCost(generation.cost, priced.cost)) continue
      changed++
      store.saveCost(record.id, priced)
    }
    return { variant: variant.name, answers, changed, beforeUsd, afterUsd, unknown, reason }
  })
}

function knownUsd(cost: Cost): number {
  return cost.status === "known" ? cost.usd : 0
}

function isSameCost(a: Cost, b: Cost): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
