import type { Price, TokenPrice } from "../core/cost.ts"
import type { Provider } from "../core/provider.ts"
import { modelMakerPrices } from "./prices/model-makers.ts"
import { openModelHostPrices } from "./prices/open-model-hosts.ts"
import { priceOfRow } from "./prices/price-of-row.ts"
import { type Retirement, retirements } from "./prices/retirements.ts"

/** One model's list price, with where and when it was read. @experimental */
export interface PriceBookRow extends TokenPrice {
  readonly provider: string
  readonly model: string
  /** Tokens that the model holds at once, prompt and answer together; null where sources differ. */
  readonly contextTokens: number | null
}

/**
 * The list prices that ship with evalkit, in dollars per million tokens. A variant's own `price` overrides them.
 * @experimental
 */
export const priceBook: readonly PriceBookRow[] = [...modelMakerPrices, ...openModelHostPrices].flatMap((table) =>
  table.rows.map((row) => ({
    ...priceOfRow(table, row),
    provider: table.provider,
    model: row[0],
    contextTokens: row[5],
  })),
)

/**
 * The list price of a model, or null when the book does not know it: then the cost stays unknown. A model is found by its
 * id, whatever its case, also behind `models/` or the provider's name, and a snapshot (an id that ends in a date) by the
 * model that it is one of, unless it has a price of its own. Other names must match, because a near name may cost ten
 * times as much.
 *
 * @param provider name of a preset (`openai`, `gemini` …) or host of its endpoint (`api.openai.com`)
 * @example findPrice("openai", "gpt-4.1-mini")?.outputPerMillion // 1.6
 * @example findPrice("anthropic", "claude-haiku-4-5-20251001")?.source // "…; the price of claude-haiku-4-5"
 * @experimental
 */
export function findPrice(provider: string, model: string): TokenPrice | null {
  const entry = lookUp(provider, model)
  if (!entry) return null
  const { row, isSnapshot } = entry
  return isSnapshot ? { ...row, source: `${row.source}; the price of ${row.model}` } : row
}

/**
 * What a provider costs when its variant states no price: its own, else that of the book for the service behind it.
 * @experimental
 */
export function listPrice(provider: Pick<Provider, "price" | "kind" | "traits" | "endpoint" | "model">): Price | null {
  if (provider.price !== undefined) return provider.price
  // A service's preset may go through a proxy; a provider that only names its protocol has no service.
  const { service = provider.kind } = provider.traits ?? {}
  return findPrice(provider.endpoint, provider.model) ?? (service === null ? null : findPrice(service, provider.model))
}

/**
 * How many tokens a model holds at once, or null when the book does not know it; names as in {@link findPrice}.
 *
 * @example findContextWindow("openai", "gpt-4.1-mini")?.tokens // 1047576
 * @experimental
 */
export function findContextWindow(
  provider: string,
  model: string,
): { readonly tokens: number; readonly source: string } | null {
  const row = lookUp(provider, model)?.row
  return row?.contextTokens ? { tokens: row.contextTokens, source: `${row.source} (${row.date})` } : null
}

/**
 * Who serves a model, where a log names the model alone: the maker before its slash, else the one provider that the book has it of; null
 * where there is none, or several.
 *
 * @example providerOf("gpt-4.1-mini") // "openai"
 */
export function providerOf(model: string): string | null {
  const slash = model.indexOf("/")
  if (slash > 0 && !model.startsWith("models/")) return model.slice(0, slash)
  const sellers = [...new Set(priceBook.map(({ provider }) => provider))].filter((name) => lookUp(name, model))
  return sellers.length === 1 ? (sellers[0] as string) : null
}

/**
 * When a provider shuts a model down, or did; null where no such day is known here. Names as in {@link findPrice}.
 *
 * @param provider null: not known, so that the maker's day is meant
 * @example findRetirement("openai", "o3-2025-04-16")?.day // "2026-12-11"
 */
export function findRetirement(provider: string | null, model: string): Retirement | null {
  for (const { provider: maker, source, date, days } of retirements)
    for (const name of provider === null || providerName(provider) === maker ? namesOf(maker, model) : [])
      for (const [day, models] of days)
        if (models.includes(name.toLowerCase())) return { day, source: `${source} (copy of ${date})` }
  return null
}

function lookUp(provider: string, model: string): { readonly row: PriceBookRow; readonly isSnapshot: boolean } | null {
  for (const [i, alias] of namesOf(provider, model).entries()) {
    const row = byName.get(key(providerName(provider), alias))
    if (row) return { row, isSnapshot: i === 2 }
  }
  return null
}

/** What the book may call a model: as it is named, without its provider, without the date of a snapshot. */
function namesOf(provider: string, model: string): readonly [id: string, plain: string, undated: string] {
  const id = model.replace(/^models\//i, "")
  const slash = id.indexOf("/")
  const plain = slash > 0 && providerName(id.slice(0, slash)) === providerName(provider) ? id.slice(slash + 1) : id
  return [id, plain, plain.replace(snapshotDate, "")]
}

/** `-2026-03-05` or `-20260305` at the end of an id. */
const snapshotDate = /-20\d{2}(-?)(0[1-9]|1[0-2])\1(0[1-9]|[12]\d|3[01])$/

/** The book's name of a provider, by its endpoint's host or by what gateways call it. */
function providerName(provider: string): string {
  const lower = provider.toLowerCase()
  return otherNames.get(lower) ?? lower
}

const otherNames = new Map([
  ["api.openai.com", "openai"],
  ["api.anthropic.com", "anthropic"],
  ["generativelanguage.googleapis.com", "gemini"],
  ["google", "gemini"],
  ["google-ai-studio", "gemini"],
  ["api.mistral.ai", "mistral"],
  ["mistralai", "mistral"],
  ["api.cohere.ai", "cohere"],
  ["api.cohere.com", "cohere"],
  ["api.deepseek.com", "deepseek"],
  ["api.x.ai", "xai"],
  ["x-ai", "xai"],
  ["api.moonshot.ai", "moonshot"],
  ["moonshotai", "moonshot"],
  ["api.z.ai", "zhipu"],
  ["zai", "zhipu"],
  ["z-ai", "zhipu"],
  ["api.minimax.io", "minimax"],
  ["api.groq.com", "groq"],
  ["api.together.xyz", "together"],
  ["api.together.ai", "together"],
  ["api.fireworks.ai", "fireworks"],
  ["inference.baseten.co", "baseten"],
  ["api.deepinfra.com", "deepinfra"],
])

const byName: ReadonlyMap<string, PriceBookRow> = new Map(priceBook.map((row) => [key(row.provider, row.model), row]))

function key(provider: string, model: string): string {
  return `${provider} ${model.toLowerCase()}`
}
