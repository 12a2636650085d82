import type { Price } from "../../core/cost.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { listPrice } from "../../cost/price-book.ts"

/**
 * The price of everything that a run calls, by what it is: its variants, and the models that its metrics ask. Models
 * on machines of the user's own that have no price cost nothing per call, and are left out.
 */
export function pricesToPay({
  variants,
  metrics,
}: Pick<Evaluation, "variants" | "metrics">): ReadonlyMap<string, Price | null> {
  const prices = new Map(variants.map(({ name, price }) => [`variant ${name}`, price]))
  for (const { name, asks = [] } of metrics) {
    for (const provider of asks) {
      const price = listPrice(provider)
      if (price !== null || !provider.traits?.isFreePerCall)
        prices.set(`metric ${name}, which asks ${provider.label}`, price)
    }
  }
  return prices
}
