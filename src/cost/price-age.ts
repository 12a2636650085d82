import type { Price } from "../core/cost.ts"
import { oldPrice } from "../words/reasons/prices.ts"

/** Prices change about this often: an older one has to be read again. */
const freshDays = 90
const dayMs = 86_400_000

/**
 * A sentence about a price that was read more than 90 days before the run; null for a fresh one, and for one without a readable date.
 *
 * @param at when the run began, ISO 8601
 * @example priceAgeNote({ …, date: "2026-06-01" }, "2026-11-22T10:00:00Z") // "price: read on 2026-06-01, 174 days before the run …"
 */
export function priceAgeNote(price: Price | null, at: string): string | null {
  if (price === null) return null
  const days = Math.floor((Date.parse(at) - Date.parse(price.date)) / dayMs)
  if (!(days > freshDays)) return null
  return oldPrice(price.date, days)
}
