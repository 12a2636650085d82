import type { Price } from "../core/cost.ts"
import { unknownUsage } from "../core/usage.ts"
import { costOfUsage } from "./cost-of-usage.ts"

/**
 * What a request costs in a batch, as a share of what it costs live; null when the price does not state it.
 *
 * @example batchPriceShare(findPrice("openai", "gpt-4.1-mini")) // 0.5
 */
export function batchPriceShare(price: Price | null): number | null {
  const usage = { ...unknownUsage, promptTokens: 1000, completionTokens: 1000 }
  const [live, batch] = [costOfUsage(usage, price), costOfUsage({ ...usage, serviceTier: "batch" }, price)]
  if (live.status === "unknown" || batch.status === "unknown" || live.usd === 0) return null
  return Number((batch.usd / live.usd).toPrecision(6))
}
