import type { OtlpAttribute } from "./otlp-attributes.ts"

/** A histogram with explicit bounds, as OTLP counts: a value belongs to the first bucket whose bound it does not exceed. */
export interface OtlpHistogram {
  add(value: number): void
  /** The data point in OTLP's JSON form, without its times. */
  point(): object
}

/** Counts values by bounds, in ascending order; attributes tell its point from others of one instrument. */
export function otlpHistogram(bounds: readonly number[], attributes: readonly OtlpAttribute[]): OtlpHistogram {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let [count, sum, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return {
    add(value) {
      const bucket = bounds.findIndex((bound) => value <= bound)
      const place = bucket < 0 ? bounds.length : bucket
      counts[place] = (counts[place] as number) + 1
      count++
      sum += value
      min = Math.min(min, value)
      max = Math.max(max, value)
    },
    point: () => ({
      attributes,
      count: String(count),
      sum,
      ...(count > 0 && { min, max }),
      explicitBounds: bounds,
      bucketCounts: counts.map(String),
    }),
  }
}
