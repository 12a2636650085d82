import { boundedCall } from "../../calls/model-request.ts"
import type { Provider } from "../../core/provider.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { maxCallCostUsd } from "../../cost/cost-of-usage.ts"
import { listPrice } from "../../cost/price-book.ts"
import { openSample } from "../../run/episode/open-sample.ts"
import { summaryRequest } from "../../run/episode/summarise.ts"
import type { EpisodeCalls } from "./episode-calls.ts"

/** Calls within episodes that are not the variant's, and what they cost at most; null where a price is unknown. */
export interface NonVariantUse {
  readonly calls: number
  readonly usd: number | null
}

/** Of one sample: what plays its user, and what sums up its conversation. */
export interface NonVariantUses {
  readonly user: NonVariantUse
  readonly summaries: NonVariantUse
}

export const noNonVariantUse: NonVariantUses = { user: { calls: 0, usd: 0 }, summaries: { calls: 0, usd: 0 } }

/** Marks and a sentence around each text that these models are shown. */
const frameTokens = 80

/** The calls of one sample that are booked apart, each priced by itself with everything that it may be shown. */
export function nonVariantUses(
  { episode }: Variant,
  sample: Sample,
  { userPrompts, summaryPrompts }: EpisodeCalls,
  countTokens: (text: string) => number,
): NonVariantUses {
  const { user, history } = episode ?? {}
  const summary = history === undefined || history === "full" ? undefined : history.summary
  const tokensOf = (messages: readonly { readonly content: string }[]) =>
    messages.reduce((sum, { content }) => sum + countTokens(content) + 4, 0)
  const use = (
    provider: Provider,
    {
      messages,
      parameters,
    }: { readonly messages: readonly { readonly content: string }[]; readonly parameters: object },
    prompts: readonly number[],
  ): NonVariantUse => {
    const base = tokensOf(messages)
    const price = listPrice(provider)
    const isFree = price === null && provider.traits?.isFreePerCall === true
    let usd: number | null = 0
    prompts.forEach((tokens, index) => {
      const call = boundedCall(base + tokens + frameTokens * (index + 1), { images: 0, audio: 0 }, parameters, provider)
      const callUsd = isFree ? 0 : maxCallCostUsd(call, price)
      usd = usd === null || callUsd === null ? null : usd + callUsd
    })
    return { calls: prompts.length, usd }
  }
  return {
    user:
      user && userPrompts.length > 0
        ? use(user.provider, user.request(openSample(sample), [], "dry run"), userPrompts)
        : noNonVariantUse.user,
    summaries:
      summary && summaryPrompts.length > 0
        ? use(summary.provider, summaryRequest(summary, null, [], "dry run"), summaryPrompts)
        : noNonVariantUse.summaries,
  }
}

/** Two samples' together. */
export function addNonVariantUses(first: NonVariantUses, second: NonVariantUses): NonVariantUses {
  const add = (a: NonVariantUse, b: NonVariantUse): NonVariantUse => ({
    calls: a.calls + b.calls,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  })
  return { user: add(first.user, second.user), summaries: add(first.summaries, second.summaries) }
}
