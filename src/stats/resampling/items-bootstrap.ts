import { createRandom } from "../../core/random.ts"
import { statisticMethods } from "../../words/reasons/statistics.ts"
import { expandedAlpha } from "../intervals/expanded-alpha.ts"
import { percentileInterval } from "./bootstrap-interval.ts"
import { bootstrapRows } from "./bootstrap-rows.ts"

/** A statistic with its bootstrap interval. @experimental */
export interface BootstrappedStatistic {
  readonly value: number
  /** Null when most resamples have no value, or there are fewer than two items. */
  readonly low: number | null
  readonly high: number | null
  readonly n: number
  readonly method: string
}

/**
 * Any statistic of a list of items (an agreement coefficient, a correlation, a win rate) with its percentile bootstrap
 * interval over the items. Give the items in an order that does not depend on when they were finished.
 *
 * @param statistic the figure of a list; NaN where it is undefined
 * @example bootstrapItems(pairs, (list) => cohensKappa(list.map((p) => p.a), list.map((p) => p.b)), { seed: 42 })
 */
export function bootstrapItems<Item>(
  items: readonly Item[],
  statistic: (items: readonly Item[]) => number,
  options: { readonly seed: number | string; readonly resamples?: number; readonly alpha?: number },
): BootstrappedStatistic {
  const { seed, resamples = 1000, alpha = 0.05 } = options
  const value = statistic(items)
  const n = items.length
  if (n < 2) return { value, low: null, high: null, n, method: statisticMethods.singleItem }
  const members = items.map((_, i) => [i])
  const score = (positions: readonly number[]) => statistic(positions.map((i) => items[i] as Item))
  const finite = bootstrapRows(members, score, resamples, createRandom(`${seed}/items`)).filter(Number.isFinite)
  const method = statisticMethods.itemBootstrap(n, finite.length, seed)
  if (finite.length < resamples / 2) return { value, low: null, high: null, n, method }
  return { value, ...percentileInterval(finite, expandedAlpha(alpha, n)), n, method }
}
