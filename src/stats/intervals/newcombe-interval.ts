import { type Bounds, wilsonInterval } from "./proportion-interval.ts"

/** Pairs by what both sides made of them. @public */
export interface PairedCounts {
  readonly bothRight: number
  readonly onlyFirst: number
  readonly onlySecond: number
  readonly bothWrong: number
}

/**
 * Newcombe's score interval of the difference of two paired rates, first − second: Wilson's intervals of both rates, joined
 * with their correlation φ. Newcombe 1998, methods 8 and, with φ moved towards 0 (`corrected`), 10. Beside
 * `tangoInterval`, which is the one that decides.
 * @public
 */
export function newcombePairedInterval(counts: PairedCounts, alpha = 0.05, corrected = true): Bounds {
  const { bothRight, onlyFirst, onlySecond, bothWrong } = counts
  const n = bothRight + onlyFirst + onlySecond + bothWrong
  const first = bothRight + onlyFirst
  const second = bothRight + onlySecond
  const a = wilsonInterval(first, n, alpha)
  const b = wilsonInterval(second, n, alpha)
  const margins = first * (n - first) * second * (n - second)
  let cross = bothRight * bothWrong - onlyFirst * onlySecond
  if (corrected && cross > 0) cross = Math.max(0, cross - n / 2)
  const correlation = margins === 0 ? 0 : cross / Math.sqrt(margins)
  const below = first / n - a.low
  const above = a.high - first / n
  const belowSecond = second / n - b.low
  const aboveSecond = b.high - second / n
  const reach = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * correlation * x * y + y * y))
  const difference = (first - second) / n
  return { low: difference - reach(below, aboveSecond), high: difference + reach(above, belowSecond) }
}

/**
 * Newcombe's interval of the difference of two independent rates, first − second, from the score intervals of both. Newcombe 1998,
 * Statistics in Medicine 17, 873 to 890, method 10.
 * @example
 * // 56 of 70 and 48 of 80: the difference of 0.2 lies between 0.0524 and 0.3339
 * newcombeDifference({ value: 0.8, ...wilsonInterval(56, 70) }, { value: 0.6, ...wilsonInterval(48, 80) })
 * @public
 */
export function newcombeDifference(
  first: Bounds & { readonly value: number },
  second: Bounds & { readonly value: number },
): Bounds {
  const difference = first.value - second.value
  return {
    low: difference - Math.hypot(first.value - first.low, second.high - second.value),
    high: difference + Math.hypot(first.high - first.value, second.value - second.low),
  }
}
