import { UsageError } from "../../core/errors.ts"

/** What an axis, a constraint or a gate rule reads: a figure and the statistic over its answers. */
export interface FigureName {
  /** `quality`, a metric, `ttftMs`, `costUsd`, any column. */
  readonly figure: string
  readonly statistic: "mean" | "quantile"
  /** 0..1, for quantiles. */
  readonly q: number
}

/**
 * Reads `ttftMs`, `ttftMs.p95`, `costUsd.mean`. Latencies are medians by default, everything else means.
 *
 * @example parseFigureName("ttftMs.p95") // { figure: "ttftMs", statistic: "quantile", q: 0.95 }
 */
export function parseFigureName(name: string): FigureName {
  const match = /^(.*)\.(mean|max|p(\d{1,2}(?:\.\d+)?))$/.exec(name)
  if (!match) {
    const latency = name.endsWith("Ms") || name.startsWith("stages.")
    return { figure: name, statistic: latency ? "quantile" : "mean", q: 0.5 }
  }
  const figure = match[1] as string
  if (match[2] === "mean") return { figure, statistic: "mean", q: 0.5 }
  if (match[2] === "max") return { figure, statistic: "quantile", q: 1 }
  const q = Number(match[3]) / 100
  if (q <= 0 || q >= 1) throw new UsageError(`"${name}" is not a percentile`, { hint: "write p1 to p99.9" })
  return { figure, statistic: "quantile", q }
}
