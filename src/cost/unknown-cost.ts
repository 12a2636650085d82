import type { Variant } from "../core/variant.ts"
import { isHardwarePrice } from "./hardware.ts"

/** Why the cost of variants' calls cannot be bounded beforehand: each cause once, with the variants that it is of. */
export function unknownCostWords(variants: readonly Variant[]): string {
  const byCause = new Map<Cause, string[]>()
  for (const variant of variants) {
    const cause = causeOf(variant)
    byCause.set(cause, [...(byCause.get(cause) ?? []), variant.name])
  }
  return [...byCause].map(([cause, names]) => words[cause](names.join(", "))).join("; ")
}

type Cause = "sends_its_own" | "no_price" | "hardware" | "no_rate"

const words: Readonly<Record<Cause, (names: string) => string>> = {
  sends_its_own: (names) => `what ${names} sends is decided by code of its own`,
  no_price: (names) => `no price is known of ${names}`,
  hardware: (names) => `${names} is paid by the hour, not by the call`,
  no_rate: (names) => `the price of ${names} states no rate for some of what a call may use`,
}

function causeOf({ price, provider }: Variant): Cause {
  if (provider.traits?.sendsItsOwn) return "sends_its_own"
  if (price === null) return "no_price"
  return isHardwarePrice(price) ? "hardware" : "no_rate"
}
