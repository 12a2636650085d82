import type { Price } from "../core/cost.ts"
import { UsageError } from "../core/errors.ts"
import { costReasons } from "../words/reasons/cost.ts"

/**
 * A budget in dollars needs the price of everything that is called.
 *
 * @param context.prices by what is called
 * @param context.run a run on record that goes on
 * @param how a price is stated
 * @throws UsageError `budget_unknown_price` naming the first thing whose price is unknown
 */
export function refuseUnknownPrices(
  { prices, run }: { readonly prices: ReadonlyMap<string, Price | null>; readonly run?: string | undefined },
  how: string = costReasons.statePrice,
): void {
  for (const [where, price] of prices)
    if (price === null)
      throw new UsageError("a budget in dollars cannot be checked, because a price is unknown", {
        code: "budget_unknown_price",
        where,
        hint: `${how}${run ? ` and give it to the run with evalkit price ${run}` : ""}, or limit tokens, requests or minutes instead`,
      })
}
