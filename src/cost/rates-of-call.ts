import type { TieredRates, TokenPrice, TokenRates } from "../core/cost.ts"
import type { Usage } from "../core/usage.ts"
import { costReasons } from "../words/reasons/cost.ts"

/** The rates that a call is billed at, and what they are multiplied by; or the name of what has no price. */
export type RatesOfCall =
  | { readonly status: "known"; readonly rates: TokenRates; readonly factor: number }
  | { readonly status: "unknown"; readonly reason: string }

/**
 * Which of a price's rates a call pays: those of the tier that the service says it served the call in, of long prompts where the
 * prompt was long, times the factors of its region and speed.
 */
export function ratesOfCall(usage: Usage, price: TokenPrice, batch: boolean): RatesOfCall {
  const tier = batch ? "batch" : usage.serviceTier
  const ofTier = tier === undefined ? price : ratesOfTier(tier, price)
  if (ofTier === null) return unknown(costReasons.noRate(tier === "batch" ? "batches" : `service tier "${tier}"`))
  let factor = typeof ofTier === "number" ? ofTier : 1
  for (const [what, name, factors] of [
    ["region", usage.region, price.regions],
    ["speed", usage.speed, price.speeds],
  ] as const) {
    if (name === undefined) continue
    const times = own(factors, name)
    if (times === undefined) return unknown(costReasons.noFactor(what, name))
    factor *= times
  }
  const tiered = typeof ofTier === "number" ? price : ofTier
  return { status: "known", rates: ratesOfLength(tiered, usage.promptTokens ?? 0), factor }
}

/** The rates of the highest limit that the prompt is above. */
function ratesOfLength(rates: TieredRates, promptTokens: number): TokenRates {
  let tokenRates: TokenRates = rates
  let above = -1
  for (const long of rates.longPrompts ?? []) {
    if (promptTokens <= long.aboveTokens || long.aboveTokens <= above) continue
    tokenRates = long
    above = long.aboveTokens
  }
  return tokenRates
}

/** A factor or rates of its own; null where none is stated. */
function ratesOfTier(tier: string, price: TokenPrice): number | TieredRates | null {
  const stated = own(price.serviceTiers, tier)
  if (stated !== undefined) return stated
  if (tier === "batch" && price.batchDiscount !== undefined) return 1 - price.batchDiscount
  return null
}

function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function unknown(reason: string): RatesOfCall {
  return { status: "unknown", reason }
}
