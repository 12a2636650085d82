import type { TokenPrice } from "evalkit"
import type { UsageReading } from "../../../src/capture/usage/usage-reading.ts"

/** A JSON object as a service sends it. */
export type Payload = Readonly<Record<string, unknown>>

/** What a service reported, what it charges, and what that comes to. */
export interface UsageCase {
  readonly name: string
  /** Where the shape of the payload is published. */
  readonly source: string
  readonly read: (payload: Payload) => UsageReading
  readonly payload: Payload
  /** Dollars per million, or a model of the price book. */
  readonly price: Partial<TokenPrice> | { readonly book: readonly [provider: string, model: string] }
  readonly batch?: boolean
  /** The sum by hand, in millionths of a dollar: `1000*3 + 50*15`. Of an unknown cost, the lower bound; null where there is none. */
  readonly millionths: string | null
  /** The same in dollars, by hand. */
  readonly usd: string | null
  /** Where the cost is unknown: what its reason names. */
  readonly unknown?: RegExp
}

/** Where the shape of a payload is published, and who reads it. */
type Published = Pick<UsageCase, "source" | "read" | "batch">

/** A case of the table: what a service with this price reports, and the sum by hand in millionths and in dollars. */
export function usageCase(
  name: string,
  published: Published,
  price: UsageCase["price"],
  [millionths, usd, unknown]: readonly [millionths: string | null, usd: string | null, unknown?: RegExp],
  payload: Payload,
): UsageCase {
  return { name, ...published, price, millionths, usd, payload, ...(unknown && { unknown }) }
}
