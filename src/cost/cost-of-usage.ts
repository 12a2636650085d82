import type { Cost, Price, TokenPrice } from "../core/cost.ts"
import type { Answer, Attempt, Generation } from "../core/generation.ts"
import type { ScoredVariant } from "../core/metric/scored-variant.ts"
import type { Outcome } from "../core/outcome.ts"
import type { Provider } from "../core/provider.ts"
import { totalTokens, type Usage, unknownUsage } from "../core/usage.ts"
import type { Variant } from "../core/variant.ts"
import { costReasons, tokenClassNames } from "../words/reasons/cost.ts"
import type { Spending } from "./budget.ts"
import { listPrice } from "./price-book.ts"
import { ratesOfCall } from "./rates-of-call.ts"
import { tokenClasses } from "./token-classes.ts"

/**
 * What one call costs. Every class of tokens that the service reported pays its own rate: cache reads and writes by their lifetime,
 * audio, images; the whole call pays the rates of long prompts where its prompt is long, and those of the service tier, region and
 * speed that the service states. Reasoning tokens are inside the completion tokens and are not added. A class without a rate, unknown
 * usage or an unknown price makes the cost unknown, never 0: the reason names the class, and what the rest costs is a lower bound.
 * Hardware has no price per call: see {@link usdPerMillionTokens}.
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
  if (price.kind !== "tokens") return unknownCost(costReasons.paidByTime)
  const cost = listCost(usage, price, options.batch ?? false)
  const isStated = cost.status === "unknown" && usage.chargedUsd !== undefined
  return isStated ? chargedCost(usage) : cost
}

/** The cost of a call by a price's rates. */
function listCost(usage: Usage, price: TokenPrice, batch: boolean): Cost {
  const { promptTokens, completionTokens } = usage
  if (promptTokens === null) return unknownCost(costReasons.noPromptTokens)
  if (completionTokens === null) return unknownCost(costReasons.noCompletionTokens)
  const rates = ratesOfCall(usage, price, batch)
  if (rates.status === "unknown") return rates
  // Summed in millionths, so that round prices give round amounts.
  let millionths = 0
  const parts: Record<string, number> = {}
  const unpriced: string[] = []
  for (const { part, tokens, rate } of tokenClasses(usage, promptTokens, completionTokens, rates.rates)) {
    if (tokens === 0 && !alwaysNamed.has(part)) continue
    if (rate === undefined && tokens > 0) unpriced.push(`${tokens} ${tokenClassNames[part]}`)
    const amount = tokens * (rate ?? 0) * rates.factor
    millionths += amount
    parts[part] = amount / 1e6
  }
  let usd = millionths / 1e6
  for (const [unit, count] of Object.entries(usage.units ?? {})) {
    const fee = price.unitFees && Object.hasOwn(price.unitFees, unit) ? price.unitFees[unit] : undefined
    if (fee === undefined && count > 0) unpriced.push(`${count} × ${unit}`)
    if (count > 0 && fee) parts[unit] = count * fee
    usd += count * (fee ?? 0)
  }
  if (price.perRequestUsd) parts.request = price.perRequestUsd
  usd += price.perRequestUsd ?? 0
  if (price.minimumUsd !== undefined && usd < price.minimumUsd) {
    parts.minimum = price.minimumUsd - usd
    usd = price.minimumUsd
  }
  if (!Number.isFinite(usd)) return unknownCost(costReasons.tooLarge)
  if (unpriced.length === 0) return { status: "known", usd, parts }
  return { status: "unknown", reason: costReasons.noRate(unpriced.join(", ")), atLeastUsd: usd }
}

/** Parts that a cost names also where they are 0. */
const alwaysNamed: ReadonlySet<string> = new Set(["input", "cachedInput", "output"])

/** A call that is not made yet: its counts, and what it asks for that has rates of its own. */
export interface BoundedCall extends Pick<Usage, "imagePromptTokens" | "audioPromptTokens"> {
  readonly promptTokens: number
  readonly completionTokens: number
  /** As it is asked for; `auto` and the like are the usual one. */
  readonly serviceTier?: string | undefined
  /** Lifetime of what it asks to be written into the cache. */
  readonly promptCache?: "5m" | "1h" | undefined
}

/**
 * The most that a call may cost: with the whole prompt written into the cache where it asks for that or the service does so by
 * itself, in the tier that it asks for. Null when it has no price per call, or an unknown one.
 */
export function maxCallCostUsd({ serviceTier, ...call }: BoundedCall, price: Price | null): number | null {
  const usages = maxUsages(call, price)
  const inTier = serviceTier === undefined ? [] : usages.map((usage) => ({ ...usage, serviceTier }))
  return dearest([...usages, ...inTier], price)
}

/**
 * The most that a request may cost in a batch: what it costs there, or as much as a live call where no rate of batches is stated.
 * Null when it has no price per call, or an unknown one.
 */
export function maxBatchCallCostUsd({ serviceTier: _live, ...call }: BoundedCall, price: Price | null): number | null {
  const inBatch = maxUsages(call, price).map((usage) => ({ ...usage, serviceTier: "batch" }))
  return dearest(inBatch, price) ?? maxCallCostUsd(call, price)
}

/** The longest answer that a variant may give, at its price; nothing where it states no limit or price, or a sample takes several calls. */
export function longestAnswerOf({
  parameters,
  price,
  episode,
}: Partial<Pick<Variant, "parameters" | "price" | "episode">>): Pick<ScoredVariant, "longestAnswer"> {
  const tokens = parameters?.maxTokens
  if (tokens === undefined || !price || episode !== undefined) return {}
  const usd = maxCallCostUsd({ promptTokens: 0, completionTokens: tokens }, price)
  return usd === null ? {} : { longestAnswer: { tokens, usd } }
}

/** What a call may turn out to have used: as it is, or with its prompt written into a cache. */
function maxUsages(call: BoundedCall, price: Price | null): readonly Usage[] {
  const { promptTokens, completionTokens, promptCache, serviceTier: _tier, ...media } = call
  const counts = { ...unknownUsage, promptTokens, completionTokens }
  const writesByItself = price?.kind === "tokens" && price.cacheWritePerMillion !== undefined
  return [
    counts,
    { ...counts, ...media },
    ...(writesByItself ? [{ ...counts, cacheWriteTokens: promptTokens }] : []),
    ...(promptCache === "5m" ? [{ ...counts, cacheWrite5mTokens: promptTokens }] : []),
    ...(promptCache === "1h" ? [{ ...counts, cacheWrite1hTokens: promptTokens }] : []),
  ]
}

function dearest(usages: readonly Usage[], price: Price | null): number | null {
  const tokens = usages.flatMap((usage) => {
    const cost = costOfUsage(usage, price)
    return cost.status === "known" ? [cost.usd] : []
  })
  return tokens.length === 0 ? null : Math.max(...tokens)
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
 * What an answer cost, its failed attempts and refused requests included; their share is the part `failedAttempts`. An attempt without usage
 * costs nothing when the service refused it before it generated anything (4xx, 429, 5xx, no connection), and is unknown
 * when it broke off on the way.
 * @experimental
 */
export function costOfGeneration(
  generation: Pick<Generation, "usage" | "retries" | "refused" | "outcome" | "log">,
  price: Price | null,
  options: { readonly batch?: boolean } = {},
): Cost {
  const before = [...generation.retries, ...(generation.refused ?? [])]
  const charges = generation.usage.chargedUsd !== undefined
  const last = costOfAttempt(generation, price, options, charges)
  let failedUsd = 0
  let reason = last.status === "unknown" ? last.reason : null
  let atLeastUsd = last.status === "unknown" ? last.atLeastUsd : last.usd
  for (const attempt of before) {
    const cost = costOfAttempt(attempt, price, options, charges)
    if (cost.status === "unknown") reason ??= `a failed attempt: ${cost.reason}`
    const usd = cost.status === "unknown" ? cost.atLeastUsd : cost.usd
    if (usd !== undefined) atLeastUsd = (atLeastUsd ?? 0) + usd
    failedUsd += usd ?? 0
  }
  if (reason !== null || last.status === "unknown")
    return { status: "unknown", reason: reason ?? "", ...(atLeastUsd ? { atLeastUsd } : {}) }
  if (before.length === 0) return last
  return { status: "known", usd: last.usd + failedUsd, parts: { ...last.parts, failedAttempts: failedUsd } }
}

/**
 * What one attempt used of a budget. One that was refused before any work used nothing; what is unknown counts as what was set aside.
 * @experimental
 */
export function spendingOf(
  { usage, outcome, log }: Pick<Attempt, "usage" | "outcome" | "log">,
  price: Price | null,
  options: { readonly batch?: boolean } = {},
): Spending {
  const cost = costOfGeneration({ usage, outcome, log, retries: [] }, price, options)
  const tokens = isFree({ usage, outcome, log }) ? 0 : totalTokens(usage)
  return { cost, tokens }
}

/**
 * What one attempt cost by the list price of its provider, in US dollars; null when unknown. One that was refused before any work
 * is free, whatever the price.
 */
export function attemptCostUsd(
  provider: Pick<Provider, "kind" | "endpoint" | "model">,
  attempt: Pick<Attempt, "usage" | "outcome" | "log">,
): number | null {
  const cost = costOfAttempt(attempt, listPrice(provider), {}, true)
  return cost.status === "known" ? cost.usd : null
}

function chargedCost({ chargedUsd }: Usage): Cost {
  if (chargedUsd === undefined) return unknownCost(costReasons.noPrice)
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
  if (perToken && isFree(attempt)) return { status: "known", usd: 0, parts: {} }
  return costOfUsage(attempt.usage, price, options)
}

/** Whether the service refused it before it generated anything. */
function isFree({ usage, log, outcome }: Pick<Attempt, "usage" | "outcome" | "log">): boolean {
  const reported = usage.promptTokens !== null || usage.completionTokens !== null
  return !reported && !log.events.some((event) => event.bytes > 0) && refusedBeforeWork.has(outcome)
}

const refusedBeforeWork: ReadonlySet<Outcome> = new Set([
  "http_4xx",
  "rate_limited",
  "http_5xx",
  "timeout_connect",
  "connection",
  "client_fault",
  "batch_expired",
  "batch_cancelled",
  "batch_failed",
])
