import type { TokenPrice } from "../../core/cost.ts"
import { UsageError } from "../../core/errors.ts"

/**
 * Reads a duration: a number with `ms`, `s`, `min`, `h` or `d`; seconds without a unit.
 *
 * @example parseDuration("1.5min") // 90000
 */
export function parseDuration(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)?\s*$/.exec(text)
  const factor = new Map([
    ["ms", 1],
    ["s", 1000],
    ["min", 60_000],
    ["m", 60_000],
    ["h", 3_600_000],
    ["d", 86_400_000],
  ]).get(match?.[2] ?? "s")
  const milliseconds = Number(match?.[1]) * (factor ?? Number.NaN)
  if (!(milliseconds > 0))
    throw new UsageError("a duration cannot be read", { where: text, hint: "write it as 30s or 5min" })
  return milliseconds
}

/** One number or several, joined by commas. */
export function numbers(value: unknown, flag: string, min = 0, max = 1e7): readonly number[] {
  return String(value)
    .split(",")
    .map((part) => positive(part.trim(), flag, min, max))
}

/** @throws UsageError for what is not a number between `least` and `most`, or not above 0 */
export function positive(value: unknown, flag: string, min = 1, max = 1e7): number {
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0 || number < min || number > max)
    throw new UsageError(`${flag} must be a number above 0`, { where: String(value).slice(0, 40) })
  return number
}

/** @throws UsageError for what is not a number between 0 and 1, both excluded */
export function share(value: unknown, flag: string): number {
  const number = Number(value)
  if (!(number > 0 && number < 1))
    throw new UsageError(`${flag} must be between 0 and 1`, { where: String(value).slice(0, 40) })
  return number
}

/**
 * Reads a price: `2.5/15` or `2.5/0.25/15`, dollars per million tokens of input, cached input and output.
 *
 * @throws UsageError for what is none
 */
export function parsePrice(text: string): TokenPrice {
  const rates = text.split("/").map(Number)
  if (rates.length < 2 || rates.length > 3 || rates.some((rate) => !(rate >= 0)))
    throw new UsageError("--price cannot be read", { where: text, hint: "write it as 2.5/15 or 2.5/0.25/15" })
  return {
    kind: "tokens",
    inputPerMillion: rates[0] as number,
    cachedInputPerMillion: rates.length === 3 ? (rates[1] as number) : null,
    outputPerMillion: rates.at(-1) as number,
    source: "the command line",
    date: new Date().toISOString().slice(0, 10),
  }
}
