import type { Variant } from "../core/variant.ts"
import { unboundedCost } from "../words/reasons/cost.ts"
import { isHardwarePrice } from "./hardware.ts"

/** Why the cost of variants' calls cannot be bounded beforehand: each cause once, with the variants that it is of. */
export function unknownCostWords(variants: readonly Variant[]): string {
  const byCause = new Map<Cause, string[]>()
  for (const variant of variants) {
    const cause = causeOf(variant)
    byCause.set(cause, [...(byCause.get(cause) ?? []), variant.name])
  }
  return [...byCause].map(([cause, names]) => unboundedCost[cause](names.join(", "))).join("; ")
}

type Cause = keyof typeof unboundedCost

function causeOf({ price, provider }: Variant): Cause {
  if (provider.traits?.sendsItsOwn) return "sends_its_own"
  if (price === null) return "no_price"
  return isHardwarePrice(price) ? "hardware" : "no_rate"
}
