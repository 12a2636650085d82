import type { Price } from "../core/cost.ts"
import { serviceName } from "../core/metric/metered.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import { listPrice } from "../cost/price-book.ts"
import { episodeWords } from "../words/run/episode.ts"

/**
 * The price of everything that a run calls, by what it is: its variants, their simulated users, the models that its metrics ask, and their
 * services where the price is not known. Models on machines of the user's own that have no price cost nothing per call, and are left out;
 * so are answers that are read from a record.
 */
export function pricesToPay({
  variants,
  metrics,
}: Pick<Evaluation, "variants" | "metrics">): ReadonlyMap<string, Price | null> {
  const prices = new Map([
    ...variants.flatMap(({ name, price, provider }): [string, Price | null][] => {
      if (provider.traits?.isRecord) return []
      const members = price === null ? (provider.traits?.members ?? []) : []
      if (members.length === 0) return [[`variant ${name}`, price]]
      return members.map((member) => [`variant ${name}, which asks ${member.label}`, listPrice(member)])
    }),
    ...usersToPay(variants),
  ])
  for (const { name, asks = [], meters = [] } of metrics) {
    // A service that has no estimates is charged as its requests come.
    for (const meter of meters)
      if (meter.estimate?.([""]).usd === null) prices.set(`metric ${name}, which asks ${serviceName(meter)}`, null)
    for (const provider of asks) {
      const price = listPrice(provider)
      if (price !== null || !provider.traits?.isFreePerCall)
        prices.set(`metric ${name}, which asks ${provider.label}`, price)
    }
  }
  return prices
}

/** The price of what plays the users of these variants, and of what sums up their conversations. */
export function usersToPay(variants: Evaluation["variants"]): ReadonlyMap<string, Price | null> {
  return new Map(
    variants.flatMap(({ name, episode }): [string, Price | null][] => {
      const { user, history } = episode ?? {}
      const summary = history === undefined || history === "full" ? undefined : history.summary
      const asked = [
        ...(user ? [{ provider: user.provider, what: "whose user is" }] : []),
        ...(summary ? [{ provider: summary.provider, what: episodeWords.summedUpBy }] : []),
      ]
      return asked.flatMap(({ provider, what }): [string, Price | null][] => {
        const price = listPrice(provider)
        if (price === null && provider.traits?.isFreePerCall) return []
        return [[`variant ${name}, ${what} ${provider.label}`, price]]
      })
    }),
  )
}
