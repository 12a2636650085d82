import type { JsonObject } from "../../../src/core/json.ts"
import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { Distribution } from "../../../src/core/report/report.ts"

/** `{mean, p50, p90, p95, p99, n, p99_low, p99_high}`; null where it was not measured or so few values cannot bound it. */
export function distributionJson(distribution: Distribution): JsonObject {
  const { mean, p50, p90, p95, p99 } = distribution
  return {
    mean: figureValue(mean),
    p50: figureValue(p50),
    p90: figureValue(p90),
    p95: figureValue(p95),
    p99: figureValue(p99),
    n: p50.status === "known" ? p50.n : 0,
    p99_low: bound(p99, "low"),
    p99_high: bound(p99, "high"),
  }
}

/** One end of a figure's interval; null where it has none. */
export function bound(figure: Figure, side: "low" | "high"): number | null {
  return figure.status === "known" ? (figure[side] ?? null) : null
}
