import type { TokenPrice, TokenRates } from "../../core/cost.ts"

/**
 * A model's list price: the id as the provider spells it; dollars per million tokens for input, cached input (null: no such
 * rate) and output; share that a batch saves (null: none stated); tokens that it holds at once, prompt and answer
 * together (null: sources differ); and what else it bills, over the terms of its table.
 */
export type PriceRow = readonly [
  model: string,
  input: number,
  cachedInput: number | null,
  output: number,
  batchDiscount: number | null,
  contextTokens: number | null,
  terms?: PriceTerms,
]

/** What a price bills besides its three rates. Factors are those of the rates in the row. */
export interface PriceTerms {
  /** Factors on the input rate for what is written into the cache. */
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
  readonly cacheWrite?: number
  /** Images and films cost what text costs. */
  readonly imagesAsText?: boolean
  /** Dollars per million audio tokens, and of those that were cached. */
  readonly audio?: readonly [input: number, cached: number]
  /** Factors on all input rates and on the output rate of a call whose prompt has more tokens; `unstated` are not known then. */
  readonly long?: {
    readonly above: number
    readonly input: number
    readonly output: number
    readonly unstated?: readonly (keyof TokenRates)[]
  }
  readonly serviceTiers?: TokenPrice["serviceTiers"]
  readonly regions?: TokenPrice["regions"]
  readonly speeds?: TokenPrice["speeds"]
  readonly unitFees?: TokenPrice["unitFees"]
}

/** Prices of one provider that were read at one place. */
export interface PriceTable {
  /** Name of the preset, or of the service. */
  readonly provider: string
  /** The page that states the prices and who was seen to repeat them, and the latest day on which they were read (ISO). */
  readonly source: string
  readonly date: string
  /** What all its rows bill besides their rates. */
  readonly terms?: PriceTerms
  readonly rows: readonly PriceRow[]
}
