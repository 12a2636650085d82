import type { Aggregation, AnyMetric, RowEntry } from "../core/metric/metric.ts"

/** Takes the place of the row of an answer that failed. */
export const failedAnswer: unique symbol = Symbol("failed answer")

/**
 * A metric that takes {@link failedAnswer} among its rows and counts each with its share as `worst`: the figure is
 * (n · figure of what was scored + failed · worst) / (n + failed), the mean itself for means, and the same weighting for
 * figures over a corpus, which no single answer has a value in.
 */
export function countFailures(metric: AnyMetric, worst: number): AnyMetric {
  const value = (row: unknown) => (row === failedAnswer ? worst : metric.value(row))
  return {
    ...metric,
    aggregation: aggregationOf(metric.aggregation, worst),
    value,
    summarise(rows, level) {
      const scored = rows.filter(({ row }) => row !== failedAnswer)
      if (scored.length === rows.length) return metric.summarise(rows, level)
      if (scored.length === 0) return { value: rows.length === 0 ? null : worst }
      return mixed(metric, scored, rows.length - scored.length, worst)
    },
  }
}

function mixed(metric: AnyMetric, scored: readonly RowEntry<unknown>[], failed: number, worst: number) {
  const { value } = metric.summarise(scored)
  return { value: value === null ? null : (scored.length * value + failed * worst) / (scored.length + failed) }
}

/** A sample's value from its scored answers, in which its failed ones count as `worst` by their share. */
function sampleOf(aggregation: Extract<Aggregation<unknown>, { kind: "rows" }>, worst: number) {
  return (rows: readonly unknown[]): number | null => {
    const scored = rows.filter((row) => row !== failedAnswer)
    if (scored.length === 0) return worst
    const value = aggregation.ofSample?.(scored) ?? null
    return value === null ? null : (scored.length * value + (rows.length - scored.length) * worst) / rows.length
  }
}

/** Two more numbers in each vector: how many rows were scored, and how many failed. */
function aggregationOf(aggregation: Aggregation<unknown>, worst: number): Aggregation<unknown> {
  if (aggregation.kind === "rows" && aggregation.ofSample)
    return { ...aggregation, ofSample: sampleOf(aggregation, worst) }
  if (aggregation.kind !== "sum") return aggregation
  const { size } = aggregation
  return {
    kind: "sum",
    size: size + 2,
    vector(row, into, offset) {
      if (row === failedAnswer) {
        into[offset + size + 1] = 1
        return
      }
      aggregation.vector(row, into, offset)
      into[offset + size] = 1
    },
    score(sum) {
      const [scored = 0, failed = 0] = [sum[size], sum[size + 1]]
      if (scored === 0) return failed === 0 ? Number.NaN : worst
      return (scored * aggregation.score(sum.subarray(0, size)) + failed * worst) / (scored + failed)
    },
  }
}
