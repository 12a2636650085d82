import type { Generation, HourlyPrice, OwnedPrice, TokenPrice } from "evalkit"
import type { RequestLog, Usage } from "evalkit/providers"
import { costOfGeneration } from "../../src/cost/cost-of-usage.ts"
import { fakeGeneration } from "../support/fake-provider.ts"

/** $2.50 in, $0.25 cached, $15 out per million; half of it in batches. */
export const tokenPrice: TokenPrice = {
  kind: "tokens",
  inputPerMillion: 2.5,
  cachedInputPerMillion: 0.25,
  outputPerMillion: 15,
  batchDiscount: 0.5,
  source: "a price list",
  date: "2026-07-24",
}

export const hourlyPrice: HourlyPrice = {
  kind: "hourly",
  usdPerHour: 3,
  instances: 1,
  utilisation: 1,
  source: "a cloud",
  date: "2026-07-24",
}

export const ownedPrice: OwnedPrice = {
  kind: "owned",
  purchaseUsd: 8766,
  lifeHours: 8766,
  watts: 500,
  usdPerKwh: 0.3,
  utilisation: 0.5,
  source: "an invoice",
  date: "2026-07-24",
}

export function usageOf(prompt: number | null, completion: number | null, cached: number | null = null): Usage {
  return {
    promptTokens: prompt,
    cachedPromptTokens: cached,
    completionTokens: completion,
    reasoningTokens: null,
  }
}

const emptyLog: RequestLog = { scheduledMs: 0, sendMs: 0, connectMs: null, headersMs: null, events: [], endMs: 1 }

/** An answered generation of 1,000 prompt and 200 completion tokens, priced with {@link tokenPrice}: $0.0055. */
export function generationOf(changes: Partial<Generation> = {}): Generation {
  const generation = fakeGeneration("", { usage: usageOf(1000, 200), log: emptyLog, sampleId: "1", ...changes })
  return { ...generation, cost: changes.cost ?? costOfGeneration(generation, tokenPrice) }
}

/** A failed attempt without usage. */
export function attemptOf(outcome: Generation["outcome"], usage = usageOf(null, null)): Generation["retries"][number] {
  return { outcome, usage, log: emptyLog, httpStatus: null, failure: null }
}
