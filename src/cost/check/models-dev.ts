import type { Members } from "../../core/json-members.ts"
import { membersOf, numbersOf, type PublishedPrice } from "./published-price.ts"

/**
 * Reads the table that models.dev publishes as `api.json`: providers, their models, `cost` in dollars per million tokens, long prompts
 * as `tiers` of the type `context`, in older tables as `context_over_200k`.
 */
export function readModelsDev(table: Members): PublishedPrice[] {
  return Object.entries(table).flatMap(([id, value]) =>
    Object.entries(membersOf(membersOf(value).models)).flatMap(([model, entry]) => {
      const cost = membersOf(membersOf(entry).cost)
      if (cost.input === undefined) return []
      return [{ provider: providers[id] ?? id, model, rates: { ...ratesOf(cost), ...longRates(cost) } }]
    }),
  )
}

/** Whether a parsed file looks like that table. */
export function isModelsDev(table: Members): boolean {
  return Object.values(table).some((value) => Object.keys(membersOf(membersOf(value).models)).length > 0)
}

function ratesOf(cost: Members): Record<string, number> {
  return numbersOf({
    inputPerMillion: cost.input,
    outputPerMillion: cost.output,
    cachedInputPerMillion: cost.cache_read,
    cacheWritePerMillion: cost.cache_write,
    audioInputPerMillion: cost.input_audio,
    audioOutputPerMillion: cost.output_audio,
  })
}

function longRates(cost: Members): Record<string, number> {
  const tiers = Array.isArray(cost.tiers) ? cost.tiers.map(membersOf) : []
  const tier = tiers.find(({ tier }) => membersOf(tier).type === "context")
  const long = tier ?? membersOf(cost.context_over_200k)
  if (long.input === undefined) return {}
  return numbersOf({
    "longPrompts.aboveTokens": tier ? membersOf(tier.tier).size : 200_000,
    "longPrompts.inputPerMillion": long.input,
    "longPrompts.outputPerMillion": long.output,
    "longPrompts.cachedInputPerMillion": long.cache_read,
  })
}

/** Their names of providers that the price book calls otherwise. */
const providers: Readonly<Record<string, string>> = {
  google: "gemini",
  moonshotai: "moonshot",
  zai: "zhipu",
  togetherai: "together",
  "fireworks-ai": "fireworks",
}
