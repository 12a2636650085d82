import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { Distribution } from "../../../src/core/report/report.ts"
import { camelTo } from "../../../src/words/names.ts"

/** `{mean, p50, p90, p95, p99, n, p50_low, p50_high, …}`; null where it was not measured or so few values cannot bound it. */
export function distributionJson(distribution: Distribution): JsonObject {
  const { mean, p50, p90, p95, p99 } = distribution
  const n = p50.status === "known" ? p50.n : 0
  const bounds = Object.entries({ p50, p90, p95, p99 }).flatMap(([name, figure]) => [
    [`${name}Low`, bound(figure, "low")],
    [`${name}High`, bound(figure, "high")],
  ])
  return snakeJson({ mean, p50, p90, p95, p99, n, ...Object.fromEntries(bounds) })
}

/** One end of a figure's interval; null where it has none. */
export function bound(figure: Figure, side: "low" | "high"): number | null {
  return figure.status === "known" ? (figure[side] ?? null) : null
}

/** Both ends of a figure's interval. */
export function boundsOf(figure: Figure): readonly [number | null, number | null] {
  return [bound(figure, "low"), bound(figure, "high")]
}

/** Members by the names that the JSON has for them, `peakRssBytes` as `peak_rss_bytes`: figures as their values, null where they are unknown. */
export function snakeJson(members: Readonly<Record<string, Figure | JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      camelTo("_", name),
      isFigure(value) ? figureValue(value) : (value ?? null),
    ]),
  )
}

function isFigure(value: Figure | JsonValue | undefined): value is Figure {
  return typeof value === "object" && value !== null && "status" in value
}
