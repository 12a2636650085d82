import { UsageError } from "../src/core/errors.ts"
import { meanMetric } from "../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../src/core/metric/metric.ts"
import { checkOptions } from "../src/core/options.ts"
import { truthValue } from "../src/text/truth-value.ts"
import { signature } from "./text/signature.ts"

/** Options of {@link column}. @public */
export interface ColumnOptions {
  /** The column, as the file names it. */
  readonly column: string
  /** Default: the column's name. */
  readonly name?: string
  /** Which way is better. Default `higher`. */
  readonly direction?: "higher" | "lower"
  /** Smallest and largest possible value. Default 0..1. */
  readonly range?: readonly [number, number]
  /** `share` (default), `score`, or another unit. */
  readonly unit?: string
}

/**
 * A score that another tool computed, from a column of the data set or of the file that is scored: what the other metrics are compared with,
 * or what `passAtK` and `passHatK` count. Texts that are numbers (CSV) and truth values count; the summary is the mean. Unscored:
 * `no_value`, `not_a_number`.
 *
 * Misleads where two tools computed the column in different ways: nothing here can tell. Source: the tool that wrote the
 * column.
 *
 * Range: that of the column, which `range` states (0..1 unless it does).
 *
 * @example
 * // rows { task_id: 3, trial: 0, reward: 1 }, { task_id: 3, trial: 1, reward: 0 }
 * column({ column: "reward" }) // 0.5
 * @public
 */
export function column(options: ColumnOptions): Metric<number> {
  checkOptions("column", options)
  const { column: from, name = from, direction = "higher", range = [0, 1], unit = "share" } = options
  if (typeof from !== "string" || from === "")
    throw new UsageError("column needs the name of a column", { where: "column({ column })" })
  return meanMetric({
    name,
    signature: signature("column", { column: from }),
    direction,
    range,
    unit,
    measure({ metadata }) {
      const value = Object.hasOwn(metadata, from) ? metadata[from] : undefined
      if (value === undefined || value === null || value === "")
        return unscored("no_value", `the row has no "${from.slice(0, 80)}"`)
      const number = typeof value === "boolean" || typeof value === "string" ? numberOf(value) : value
      return typeof number === "number" && Number.isFinite(number)
        ? number
        : unscored("not_a_number", JSON.stringify(value).slice(0, 80))
    },
  })
}

function numberOf(value: boolean | string): number {
  const truth = truthValue(String(value))
  if (truth !== null) return Number(truth)
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN
}
