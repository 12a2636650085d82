import type { TokenPrice } from "../core/cost.ts"
import { contextRows, contextSource } from "./context-rows.ts"
import { priceRows, priceSources } from "./price-rows.ts"

/** One model's list price, with where and when it was read. */
export interface PriceBookRow extends TokenPrice {
  readonly provider: string
  readonly model: string
}

/** The list prices that ship with evalkit, in dollars per million tokens. A variant's own `price` overrides them. */
export const priceBook: readonly PriceBookRow[] = priceRows.map(
  ([provider, model, inputPerMillion, cachedInputPerMillion, outputPerMillion, batchDiscount]) => ({
    kind: "tokens",
    provider,
    model,
    inputPerMillion,
    cachedInputPerMillion,
    outputPerMillion,
    ...(batchDiscount === null ? {} : { batchDiscount }),
    ...(priceSources.get(provider) as { readonly source: string; readonly date: string }),
  }),
)

/**
 * The list price of a model, or null when the book does not know it: then the cost stays unknown. Model names must match
 * exactly (case and a leading `models/` aside), because a near name may cost ten times as much.
 *
 * @param provider name of a preset (`openai`, `gemini` …) or host of its endpoint (`api.openai.com`)
 * @example findPrice("openai", "gpt-4.1-mini")?.outputPerMillion // 1.6
 */
export function findPrice(provider: string, model: string): TokenPrice | null {
  return byName.get(key(hosts.get(provider.toLowerCase()) ?? provider, model)) ?? null
}

/**
 * How many tokens a model holds at once, or null when the book does not know it; names as in {@link findPrice}.
 *
 * @example findContextWindow("openai", "gpt-4.1-mini")?.tokens // 1047576
 */
export function findContextWindow(
  provider: string,
  model: string,
): { readonly tokens: number; readonly source: string } | null {
  const tokens = windows.get(key(hosts.get(provider.toLowerCase()) ?? provider, model))
  return tokens === undefined ? null : { tokens, source: contextSource }
}

const hosts = new Map([
  ["api.openai.com", "openai"],
  ["api.anthropic.com", "anthropic"],
  ["generativelanguage.googleapis.com", "gemini"],
  ["google", "gemini"],
  ["api.x.ai", "xai"],
  ["api.deepseek.com", "deepseek"],
  ["api.moonshot.ai", "moonshot"],
  ["api.z.ai", "zhipu"],
  ["api.minimax.io", "minimax"],
  ["api.deepinfra.com", "deepinfra"],
  ["api.groq.com", "groq"],
  ["api.together.xyz", "together"],
  ["api.mistral.ai", "mistral"],
  ["api.fireworks.ai", "fireworks"],
])

const byName: ReadonlyMap<string, PriceBookRow> = new Map(priceBook.map((row) => [key(row.provider, row.model), row]))

const windows: ReadonlyMap<string, number> = new Map(
  contextRows.flatMap(([provider, tokens, models]) => models.map((model) => [key(provider, model), tokens] as const)),
)

function key(provider: string, model: string): string {
  return `${provider} ${model.replace(/^models\//, "")}`.toLowerCase()
}
