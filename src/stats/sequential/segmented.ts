import type { ChangePoint } from "../../core/report/trend.ts"

/**
 * Binary segmentation of `length` values: the best split of the whole, then of each side, as long as it is significant; in their order.
 *
 * @param split the best split of the values from `from` to before `to`; null where there is none
 */
export function segmented(
  length: number,
  alpha: number,
  split: (from: number, to: number) => ChangePoint | null,
): ChangePoint[] {
  const search = (from: number, to: number): ChangePoint[] => {
    const best = split(from, to)
    return best && best.p < alpha ? [...search(from, best.at), best, ...search(best.at, to)] : []
  }
  return search(0, length)
}
