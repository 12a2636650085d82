import { UsageError } from "../../core/errors.ts"
import { type PriceBookRow, priceBook } from "../price-book.ts"
import { isLitellm, readLitellm } from "./litellm.ts"
import { isModelsDev, readModelsDev } from "./models-dev.ts"
import { membersOf, type PublishedPrice } from "./published-price.ts"

/** One rate that the price book and another table state differently. */
export interface PriceDifference {
  readonly provider: string
  readonly model: string
  /** Name of the rate: `inputPerMillion`, `longPrompts.outputPerMillion` … */
  readonly rate: string
  /** Dollars per million (tokens for `aboveTokens`); null: the price book states none. */
  readonly ours: number | null
  readonly theirs: number
  /** When the price book's row was read, ISO date. */
  readonly date: string
}

/** What a comparison found. */
export interface PriceCheck {
  readonly table: "models.dev" | "LiteLLM"
  /** Rows of the price book that the table has, too. */
  readonly compared: number
  /** Rows that it does not have: `provider model`. */
  readonly missing: readonly string[]
  /** In the order of the price book. */
  readonly differences: readonly PriceDifference[]
}

/**
 * Compares the price book with a table that somebody else publishes. Only what the table states is compared.
 *
 * @param json content of the file: models.dev's `api.json` or LiteLLM's `model_prices_and_context_window.json`
 * @param file its path, for messages
 * @throws UsageError when it is neither
 */
export function checkPrices(json: string, file: string, rows: readonly PriceBookRow[] = priceBook): PriceCheck {
  const { name, prices } = readTable(json, file)
  const byName = new Map(prices.map((price) => [keyOf(price), price]))
  const missing: string[] = []
  const differences: PriceDifference[] = []
  for (const row of rows) {
    const published = byName.get(keyOf(row))
    if (published) differences.push(...compare(row, published))
    else missing.push(`${row.provider} ${row.model}`)
  }
  return { table: name, compared: rows.length - missing.length, missing, differences }
}

function readTable(
  json: string,
  file: string,
): { readonly name: PriceCheck["table"]; readonly prices: PublishedPrice[] } {
  const table = membersOf(parsed(json, file))
  if (isModelsDev(table)) return { name: "models.dev", prices: readModelsDev(table) }
  if (isLitellm(table)) return { name: "LiteLLM", prices: readLitellm(table) }
  throw new UsageError("the file is no price table that evalkit knows", {
    where: file,
    hint: "give models.dev's api.json or LiteLLM's model_prices_and_context_window.json",
  })
}

function parsed(json: string, file: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(json.trim() === "" ? "the file is empty" : "the file is not JSON", {
      where: `${file}${lineOf(error, json)}`,
      hint: "download the table again: models.dev's api.json or LiteLLM's model_prices_and_context_window.json",
      cause: error,
    })
  }
}

/** `:12`, the line of a fault in JSON, where its message says its position; a text that broke off ends with its fault. */
function lineOf(error: unknown, json: string): string {
  const message = error instanceof Error ? error.message : ""
  const [, position] = /at position (\d+)/.exec(message) ?? []
  const text = json.trimEnd()
  const at = position === undefined ? (/end of JSON/.test(message) ? text.length : null) : Number(position)
  return at === null || text === "" ? "" : `:${text.slice(0, at).split("\n").length}`
}

function compare(row: PriceBookRow, { rates }: PublishedPrice): PriceDifference[] {
  const { provider, model, date } = row
  return Object.entries(rates).flatMap(([rate, theirs]) => {
    const ours = ourRate(row, rate)
    const isSame = ours === null ? theirs === 0 : Math.abs(ours - theirs) <= rounding * Math.max(ours, theirs)
    return isSame ? [] : [{ provider, model, rate, ours, theirs, date }]
  })
}

/** Tables hold rounded decimals. */
const rounding = 1e-6

function ourRate(row: PriceBookRow, rate: string): number | null {
  const [first, second] = rate.split(".")
  const rates: object = second === undefined ? row : (row.longPrompts?.[0] ?? {})
  const value = (rates as Readonly<Record<string, unknown>>)[second ?? first ?? ""]
  if (typeof value === "number") return value
  // Both tables have one rate for writes: that of the usual lifetime.
  return rate === "cacheWritePerMillion" ? (row.cacheWrite5mPerMillion ?? null) : null
}

function keyOf({ provider, model }: { readonly provider: string; readonly model: string }): string {
  return `${provider} ${model.toLowerCase()}`
}
