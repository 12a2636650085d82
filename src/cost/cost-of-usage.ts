import type { Cost, Price, TokenPrice } from "../core/cost.ts"
import type { Answer, Attempt, Generation } from "../core/generation.ts"
import type { Outcome } from "../core/outcome.ts"
import type { Provider } from "../core/provider.ts"
import type { Usage } from "../core/usage.ts"
import { listPrice } from "./price-book.ts"

/**
 * What one call costs. Cached prompt tokens pay the cached rate where the provider states one, else the full rate;
 * reasoning tokens are inside the completion tokens and are not added. Unknown usage or an unknown price is unknown,
 * never 0. Hardware paid by the hour has no price per call: see {@link usdPerMillionTokens}.
 *
 * @param price `null` when it is unknown: then the cost is what the service states that it charged, where it does
 * @param options.batch whether the call went through the provider's batch interface, which has its own discount
 * @example
 * // 1,000 prompt tokens of which 400 cached, 200 completion tokens, at $2.50 / $0.25 / $15 per million:
 * costOfUsage(usage, price) // { status: "known", usd: 0.0046, parts: { input: 0.0015, cachedInput: 0.0001, output: 0.003 } }
 * @experimental
 */
export function costOfUsage(usage: Usage, price: Price | null, options: { readonly batch?: boolean } = {}): Cost {
  if (price === null) return chargedCost(usage)
  if (price.kind !== "tokens") return unknownCost("hardware is paid by the hour: its cost follows from throughput")
  const { promptTokens, completionTokens } = usage
  if (promptTokens === null) return unknownCost("the endpoint reported no prompt tokens")
  if (completionTokens === null) return unknownCost("the endpoint reported no completion tokens")
  const cachedTokens = Math.min(usage.cachedPromptTokens ?? 0, promptTokens)
  const share = options.batch ? 1 - (price.batchDiscount ?? 0) : 1
  const input = (promptTokens - cachedTokens) * price.inputPerMillion * share
  const cached = cachedTokens * cachedRate(price) * share
  const output = completionTokens * price.outputPerMillion * share
  // Summed in millionths, so that round prices give round amounts.
  return {
    status: "known",
    usd: (input + cached + output) / 1e6,
    parts: { input: input / 1e6, cachedInput: cached / 1e6, output: output / 1e6 },
  }
}

/**
 * What a judge's or another helper's answer cost at its provider's list price, in US dollars, with the attempts that failed
 * before it; null when that is unknown.
 */
export function answerCostUsd(
  provider: Pick<Provider, "price" | "kind" | "endpoint" | "model">,
  answer: Pick<Answer, "usage" | "outcome" | "log">,
  retries: readonly Attempt[] = [],
): number | null {
  const { usage, outcome, log } = answer
  const cost = costOfGeneration({ usage, outcome, log, retries }, listPrice(provider))
  return cost.status === "known" ? cost.usd : null
}

/**
 * What an answer cost, its failed attempts included; their share is the part `failedAttempts`. An attempt without usage
 * costs nothing when the service refused it before it generated anything (4xx, 429, 5xx, no connection), and is unknown
 * when it broke off on the way.
 * @experimental
 */
export function costOfGeneration(
  generation: Pick<Generation, "usage" | "retries" | "outcome" | "log">,
  price: Price | null,
  options: { readonly batch?: boolean } = {},
): Cost {
  const charges = generation.usage.chargedUsd !== undefined
  const last = costOfAttempt(generation, price, options, charges)
  if (last.status === "unknown") return last
  let failedUsd = 0
  for (const attempt of generation.retries) {
    const cost = costOfAttempt(attempt, price, options, charges)
    if (cost.status === "unknown") return unknownCost(`a failed attempt: ${cost.reason}`)
    failedUsd += cost.usd
  }
  if (generation.retries.length === 0) return last
  return { status: "known", usd: last.usd + failedUsd, parts: { ...last.parts, failedAttempts: failedUsd } }
}

function chargedCost({ chargedUsd }: Usage): Cost {
  if (chargedUsd === undefined) return unknownCost("no price is known for this model")
  return { status: "known", usd: chargedUsd, parts: { charged: chargedUsd } }
}

/** No amount, and why. */
function unknownCost(reason: string): Cost {
  return { status: "unknown", reason }
}

/** @param charges the service says what it charges, so that a refused attempt is free although no price is known */
function costOfAttempt(
  attempt: Pick<Attempt, "usage" | "outcome" | "log">,
  price: Price | null,
  options: { readonly batch?: boolean },
  charges = false,
): Cost {
  const perToken = price === null ? charges : price.kind === "tokens"
  const reported = attempt.usage.promptTokens !== null || attempt.usage.completionTokens !== null
  const streamed = attempt.log.events.some((event) => event.bytes > 0)
  if (perToken && !reported && !streamed && refusedBeforeWork.has(attempt.outcome))
    return { status: "known", usd: 0, parts: {} }
  return costOfUsage(attempt.usage, price, options)
}

function cachedRate(price: TokenPrice): number {
  return price.cachedInputPerMillion ?? price.inputPerMillion
}

const refusedBeforeWork: ReadonlySet<Outcome> = new Set([
  "http_4xx",
  "rate_limited",
  "http_5xx",
  "timeout_connect",
  "connection",
  "client_fault",
])
