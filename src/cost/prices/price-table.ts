/**
 * A model's list price: the id as the provider spells it; dollars per million tokens for input, cached input (null: no such
 * rate) and output; share that a batch saves (null: none stated); tokens that it holds at once, prompt and answer
 * together (null: sources differ). The base tier: surcharges for long prompts, priority or regions are not in it.
 */
export type PriceRow = readonly [
  model: string,
  input: number,
  cachedInput: number | null,
  output: number,
  batchDiscount: number | null,
  contextTokens: number | null,
]

/** Prices of one provider that were read at one place. */
export interface PriceTable {
  /** Name of the preset, or of the service. */
  readonly provider: string
  /** The page that states the prices and who was seen to repeat them, and the latest day on which they were read (ISO). */
  readonly source: string
  readonly date: string
  readonly rows: readonly PriceRow[]
}
