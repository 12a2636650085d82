import type { RowEntry } from "../../src/core/metric/metric.ts"
import { byText } from "../../src/stats/order.ts"

/** Rows of each sample with at least `least` repeats, samples in the order of their ids. */
export function bySample<Row>(rows: readonly RowEntry<Row>[], min: number): readonly (readonly Row[])[] {
  return entriesBySample(rows, min).map((entries) => entries.map(({ row }) => row))
}

/** As {@link bySample}, with what is known of each row. */
export function entriesBySample<Row>(
  rows: readonly RowEntry<Row>[],
  min: number,
): readonly (readonly RowEntry<Row>[])[] {
  const samples = new Map<string, RowEntry<Row>[]>()
  for (const entry of rows) {
    const list = samples.get(entry.sampleId)
    if (list) list.push(entry)
    else samples.set(entry.sampleId, [entry])
  }
  return [...samples].sort(([a], [b]) => byText(a, b)).flatMap(([, list]) => (list.length >= min ? [list] : []))
}

/** Counts of the classes that an equivalence makes of values, in order of first appearance. */
export function classCounts<T>(values: readonly T[], equivalent: (a: T, b: T) => boolean): number[] {
  const representatives: T[] = []
  const counts: number[] = []
  for (const value of values) {
    const index = representatives.findIndex((representative) => equivalent(representative, value))
    if (index < 0) {
      representatives.push(value)
      counts.push(1)
    } else counts[index] = (counts[index] as number) + 1
  }
  return counts
}
