import { UsageError } from "../core/errors.ts"
import type { Budget } from "../core/run/evaluation.ts"

const units = new Map<string, { readonly key: keyof Budget; readonly factor: number }>([
  ["usd", { key: "usd", factor: 1 }],
  ["$", { key: "usd", factor: 1 }],
  ["token", { key: "tokens", factor: 1 }],
  ["tokens", { key: "tokens", factor: 1 }],
  ["request", { key: "requests", factor: 1 }],
  ["requests", { key: "requests", factor: 1 }],
  ["s", { key: "minutes", factor: 1 / 60 }],
  ["min", { key: "minutes", factor: 1 }],
  ["minute", { key: "minutes", factor: 1 }],
  ["minutes", { key: "minutes", factor: 1 }],
  ["h", { key: "minutes", factor: 60 }],
  ["hour", { key: "minutes", factor: 60 }],
  ["hours", { key: "minutes", factor: 60 }],
])

const multiples = new Map([
  ["", 1],
  ["k", 1e3],
  ["m", 1e6],
])

/**
 * Reads a budget written as text: amounts with a unit (`usd`, `tokens`, `requests`, `s`, `min`, `h`), joined by commas;
 * `k` and `M` multiply tokens and requests.
 *
 * @throws UsageError for an amount that cannot be read, is not positive, or is given twice.
 * @example parseBudget("5usd, 2M tokens") // { usd: 5, tokens: 2000000 }
 */
export function parseBudget(text: string, where = "budget"): Budget {
  const budget: { -readonly [key in keyof Budget]: Budget[key] } = {}
  for (const part of text.split(",")) {
    const amount = parseAmount(part.trim())
    if (amount === null || !(amount.value > 0) || budget[amount.key] !== undefined)
      throw new UsageError(`"${part.trim().slice(0, 60)}" is not a budget`, {
        code: "config_invalid",
        where,
        hint: 'write amounts such as "5usd", "2M tokens", "500 requests" or "30min", each at most once',
      })
    budget[amount.key] = amount.value
  }
  return budget
}

function parseAmount(text: string): { key: keyof Budget; value: number } | null {
  const match = /^(\$?)\s*(\d+(?:[._]\d+)*)\s*([kKmM]?)\s*([a-zA-Z$]*)$/.exec(text)
  if (!match) return null
  const [, dollar, digits, multiple, word] = match as unknown as [string, string, string, string, string]
  const value = Number(digits.replaceAll("_", ""))
  const whole = units.get(`${multiple}${word}`.toLowerCase())
  if (whole && !dollar) return { key: whole.key, value: value * whole.factor }
  const unit = units.get(dollar && word === "" ? "$" : word.toLowerCase())
  const factor = multiples.get(multiple.toLowerCase())
  if (!unit || factor === undefined || (dollar && unit.key !== "usd")) return null
  return { key: unit.key, value: value * unit.factor * factor }
}
