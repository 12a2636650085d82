import { EvalkitError, messageOf } from "../src/core/errors.ts"
import { type AnyMetric, type Measured, type Metric, unscored } from "../src/core/metric/metric.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"

/** What {@link partsOf} reads of a metric. */
type Parts = Partial<
  Pick<AnyMetric, "asks" | "asksAbout" | "asksWith" | "asksPer" | "meters" | "uses" | "needs" | "dependsOn" | "close">
>

/**
 * What a metric made of others states for them: what they ask, use and pay for (so that budgets, dry runs and the doctor know it),
 * what they need of the endpoint, which metrics come first, and how they are closed.
 */
export function partsOf(
  metrics: readonly Parts[],
): Pick<Metric, "asks" | "asksAbout" | "asksWith" | "asksPer" | "meters" | "uses" | "needs" | "dependsOn" | "close"> {
  const asks = metrics.flatMap((metric) => metric.asks ?? [])
  const stated = metrics.every(({ asks: own = [], asksWith = [] }) => asksWith.length === own.length)
  const meters = metrics.flatMap((metric) => metric.meters ?? [])
  const uses = metrics.flatMap((metric) => metric.uses ?? [])
  const dependsOn = [...new Set(metrics.flatMap((metric) => metric.dependsOn ?? []))]
  const max = (of: "topLogprobs" | "repeats") => Math.max(0, ...metrics.map(({ needs }) => needs?.[of] ?? 0))
  const needs = {
    ...(metrics.some((metric) => metric.needs?.logprobs) && { logprobs: true }),
    ...(max("topLogprobs") > 0 && { topLogprobs: max("topLogprobs") }),
    ...(max("repeats") > 0 && { repeats: max("repeats") }),
  }
  return {
    ...(asks.length > 0 && { asks }),
    ...(metrics.some(({ asksAbout }) => asksAbout) && {
      asksAbout: (sample) => metrics.flatMap((metric) => metric.asksAbout?.(sample) ?? metric.asks ?? []),
    }),
    ...(asks.length > 0 && stated && { asksWith: metrics.flatMap((metric) => metric.asksWith ?? []) }),
    ...(metrics.some(({ asksPer }) => asksPer === "turn") && { asksPer: "turn" as const }),
    ...(meters.length > 0 && { meters }),
    ...(uses.length > 0 && { uses }),
    ...(Object.keys(needs).length > 0 && { needs }),
    ...(dependsOn.length > 0 && { dependsOn }),
    close: async () => {
      await Promise.all(metrics.map((metric) => metric.close?.()))
    },
  }
}

const unavailable = ["missing_package", "model_unavailable"] as const

/** What one of several metrics finds; where it throws, its reason: the others are heard all the same. */
export async function measureOrReason<Row>(
  { name }: Pick<AnyMetric, "name">,
  measure: () => Measured<Row> | Promise<Measured<Row>>,
  { signal }: Pick<MetricTools, "signal">,
): Promise<Measured<Row>> {
  try {
    return await measure()
  } catch (error) {
    if (signal.aborted) throw error
    const code = error instanceof EvalkitError && unavailable.find((entry) => entry === error.code)
    return unscored(code || "metric_failed", `${name}: ${messageOf(error).slice(0, 500)}`)
  }
}
