import type { LongPromptRates, TokenPrice, TokenRates } from "../../core/cost.ts"
import type { PriceRow, PriceTable, PriceTerms } from "./price-table.ts"

/** The price that a row of a table states, with the table's terms under its own. */
export function priceOfRow({ source, date, terms: common }: PriceTable, row: PriceRow): TokenPrice {
  const [, input, cachedInput, output, batchDiscount, , own] = row
  const terms: PriceTerms = { ...common, ...own }
  const rates = ratesOf(input, cachedInput, output, terms)
  return {
    kind: "tokens",
    ...rates,
    ...(terms.long && { longPrompts: [longRates(rates, terms.long)] }),
    ...(batchDiscount === null ? {} : { batchDiscount }),
    ...(terms.serviceTiers && { serviceTiers: terms.serviceTiers }),
    ...(terms.regions && { regions: terms.regions }),
    ...(terms.speeds && { speeds: terms.speeds }),
    ...(terms.unitFees && { unitFees: terms.unitFees }),
    source,
    date,
  }
}

function ratesOf(input: number, cached: number | null, output: number, terms: PriceTerms): TokenRates {
  const { cacheWrite5m, cacheWrite1h, cacheWrite, audio } = terms
  return {
    inputPerMillion: input,
    outputPerMillion: output,
    ...(cached !== null && { cachedInputPerMillion: cached }),
    ...(cacheWrite5m && { cacheWrite5mPerMillion: times(input, cacheWrite5m) }),
    ...(cacheWrite1h && { cacheWrite1hPerMillion: times(input, cacheWrite1h) }),
    ...(cacheWrite && { cacheWritePerMillion: times(input, cacheWrite) }),
    ...(audio && { audioInputPerMillion: audio[0], cachedAudioInputPerMillion: audio[1] }),
    ...(terms.imagesAsText && { imageInputPerMillion: input, videoInputPerMillion: input }),
    ...(terms.imagesAsText &&
      cached !== null && { cachedImageInputPerMillion: cached, cachedVideoInputPerMillion: cached }),
  }
}

function longRates(rates: TokenRates, long: NonNullable<PriceTerms["long"]>): LongPromptRates {
  const scaled = Object.entries<number>({ ...rates } as Record<keyof TokenRates, number>)
    .filter(([name]) => !long.unstated?.some((unstated) => unstated === name))
    .map(([name, rate]) => [name, times(rate, name === "outputPerMillion" ? long.output : long.input)])
  return { ...(Object.fromEntries(scaled) as unknown as TokenRates), aboveTokens: long.above }
}

/** A product of decimals without the binary dust of 0.1 × 3. */
function times(rate: number, factor: number): number {
  return Number((rate * factor).toPrecision(12))
}
