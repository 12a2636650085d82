import { asMembers, type Members } from "../../core/json-members.ts"
/** What a table of others says of one model: dollars per million, by our name of the rate; `contextTokens` in tokens. */
export interface PublishedPrice {
  readonly provider: string
  readonly model: string
  readonly rates: Readonly<Record<string, number>>
}

/** The value when it is an object that is not an array, else an empty one. */
export function membersOf(value: unknown): Members {
  return asMembers(value) ?? {}
}

/** The rates that are numbers, by our names; a product of decimals keeps twelve digits. */
export function numbersOf(values: Readonly<Record<string, unknown>>, factor = 1): Record<string, number> {
  const rates = Object.entries(values).filter((entry): entry is [string, number] => {
    const value = entry[1]
    return typeof value === "number" && Number.isFinite(value) && value >= 0
  })
  return Object.fromEntries(rates.map(([name, value]) => [name, Number((value * factor).toPrecision(12))]))
}
