/** Price per token, in US dollars per million tokens. A missing rate is unknown, never 0. @public */
export interface TokenPrice {
  readonly kind: "tokens"
  readonly inputPerMillion: number
  /** Rate of prompt tokens served from the provider's cache; null when the provider states none (then cached tokens cost the full rate). */
  readonly cachedInputPerMillion: number | null
  readonly outputPerMillion: number
  /** Share that batch requests save, 0..1. */
  readonly batchDiscount?: number
  /** Where the price was read, and when (ISO date). */
  readonly source: string
  readonly date: string
}

/** Hardware that is paid by the hour. @public */
export interface HourlyPrice {
  readonly kind: "hourly"
  readonly usdPerHour: number
  readonly instances: number
  /** Share of the time that it is busy, 0..1; idle time is paid too. */
  readonly utilisation: number
  readonly source: string
  readonly date: string
}

/** Hardware that one owns: purchase price over its life, plus power. @public */
export interface OwnedPrice {
  readonly kind: "owned"
  readonly purchaseUsd: number
  readonly lifeHours: number
  readonly watts: number
  readonly usdPerKwh: number
  readonly utilisation: number
  readonly source: string
  readonly date: string
}

/** How a variant is paid for. @public */
export type Price = TokenPrice | HourlyPrice | OwnedPrice

/** An amount, or why it cannot be known. @public */
export type Cost =
  | {
      readonly status: "known"
      readonly usd: number
      /** Parts that add up to `usd`, by name: `input`, `cachedInput`, `output`, `hardware` … */
      readonly parts: Readonly<Record<string, number>>
    }
  | { readonly status: "unknown"; readonly reason: string }
