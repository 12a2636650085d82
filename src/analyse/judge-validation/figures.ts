import { type Figure, unknown } from "../../core/report/figure.ts"
import { wilsonInterval } from "../../stats/intervals/proportion-interval.ts"
import { type BootstrappedStatistic, bootstrapItems } from "../../stats/resampling/items-bootstrap.ts"
import { levelText } from "../../words/percent.ts"

/** A share of n with Wilson's interval at 1 − alpha; unknown, for the reason given, when n is 0. */
export function shareFigure(count: number, n: number, emptyReason: string, alpha: number): Figure {
  if (n === 0) return unknown(emptyReason)
  const method = `share, Wilson ${levelText(alpha)} interval`
  return { status: "known", value: count / n, ...wilsonInterval(count, n, alpha), n, method }
}

/** Items that the resamples of one figure may read together: a card has a dozen figures for every judge. */
const itemBudget = 1_000_000

/** Any statistic of a list with its bootstrap interval; unknown where it is undefined. */
export function statisticFigure<Item>(
  items: readonly Item[],
  statistic: (items: readonly Item[]) => number,
  options: {
    readonly seed: number | string
    readonly name: string
    readonly undefinedWhen: string
    readonly alpha: number
  },
): Figure {
  if (items.length === 0) return unknown(options.undefinedWhen)
  const resamples = Math.max(200, Math.min(1_000, Math.floor(itemBudget / items.length)))
  const bootstrappedStatistic = bootstrapItems(items, statistic, {
    seed: options.seed,
    resamples,
    alpha: options.alpha,
  })
  return Number.isFinite(bootstrappedStatistic.value)
    ? bootstrapFigure(bootstrappedStatistic, options.name)
    : unknown(options.undefinedWhen)
}

function bootstrapFigure({ value, low, high, n, method }: BootstrappedStatistic, name: string): Figure {
  return { status: "known", value, low, high, n, method: `${name}, ${method}` }
}
