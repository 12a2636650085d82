/**
 * Variance for what few labels have not shown yet: a judge that is mostly right errs in few labelled items, or in none, and
 * the variance of the rest then looks smaller than it is. As Agresti and Min add half a pair to each cell, this adds one
 * error of the whole range over n + 2 labels. 0 where the corrections vary freely.
 *
 * @param count labels that it takes to weigh as much as all do, where one weighs more than another
 */
export function unseenVariance(
  items: readonly { readonly judge: number }[],
  labelled: readonly { readonly judge: number; readonly human: number }[],
  count = labelled.length,
): number {
  const counts = new Map<number, number>()
  for (const { judge, human } of labelled) counts.set(human - judge, (counts.get(human - judge) ?? 0) + 1)
  if (![...counts.values()].some((times) => times > labelled.length / 2)) return 0
  const values = [...items.map(({ judge }) => judge), ...labelled.map(({ human }) => human)]
  const range = values.reduce((max, v) => Math.max(max, v)) - values.reduce((min, v) => Math.min(min, v))
  return range ** 2 / (count * (count + 2))
}
