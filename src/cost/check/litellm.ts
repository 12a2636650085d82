import type { Members } from "../../core/json-members.ts"
import { membersOf, numbersOf, type PublishedPrice } from "./published-price.ts"

/**
 * Reads LiteLLM's `model_prices_and_context_window.json`: models by name, behind their provider's where that is another's model,
 * `…_cost_per_token` in dollars, long prompts as `…_above_200k_tokens`.
 */
export function readLitellm(table: Members): PublishedPrice[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const entry = membersOf(value)
    const { litellm_provider: named } = entry
    if (typeof named !== "string" || typeof entry.input_cost_per_token !== "number") return []
    const provider = providers[named] ?? named
    const model = key.startsWith(`${named}/`) ? key.slice(named.length + 1) : key
    return [{ provider, model, rates: { ...ratesOf(entry), ...longRates(entry) } }]
  })
}

/** Whether a parsed file looks like that table. */
export function isLitellm(table: Members): boolean {
  return Object.values(table).some((value) => typeof membersOf(value).litellm_provider === "string")
}

function ratesOf(entry: Members): Record<string, number> {
  return numbersOf(
    {
      inputPerMillion: entry.input_cost_per_token,
      outputPerMillion: entry.output_cost_per_token,
      cachedInputPerMillion: entry.cache_read_input_token_cost,
      cacheWritePerMillion: entry.cache_creation_input_token_cost,
      cacheWrite1hPerMillion: entry.cache_creation_input_token_cost_above_1hr,
      audioInputPerMillion: entry.input_cost_per_audio_token,
      audioOutputPerMillion: entry.output_cost_per_audio_token,
    },
    1e6,
  )
}

function longRates(entry: Members): Record<string, number> {
  const name = Object.keys(entry).find((field) => /^input_cost_per_token_above_\d+k_tokens$/.test(field))
  const thousands = /\d+/.exec(name ?? "")?.[0]
  if (name === undefined || thousands === undefined) return {}
  return {
    "longPrompts.aboveTokens": Number(thousands) * 1000,
    ...numbersOf(
      {
        "longPrompts.inputPerMillion": entry[name],
        "longPrompts.outputPerMillion": entry[name.replace("input", "output")],
        "longPrompts.cachedInputPerMillion": entry[name.replace("input_cost_per_token", "cache_read_input_token_cost")],
      },
      1e6,
    ),
  }
}

/** Their names of providers that the price book calls otherwise. */
const providers: Readonly<Record<string, string>> = {
  cohere_chat: "cohere",
  zai: "zhipu",
  together_ai: "together",
  fireworks_ai: "fireworks",
}
