import { UsageError } from "../core/errors.ts"
import type { AnyMetric } from "../core/metric/metric.ts"

/**
 * The metrics in an order in which each comes after those that it depends on; otherwise as configured.
 * @throws {UsageError} when a metric depends on one that is not configured, or on itself in a circle
 */
export function orderMetrics(metrics: readonly AnyMetric[]): readonly AnyMetric[] {
  const byName = new Map(metrics.map((metric) => [metric.name, metric]))
  const ordered = new Set<AnyMetric>()
  const visit = (metric: AnyMetric, path: readonly string[]): void => {
    if (ordered.has(metric)) return
    if (path.includes(metric.name)) {
      throw new UsageError("metrics depend on each other in a cycle", { where: [...path, metric.name].join(" → ") })
    }
    for (const name of metric.dependsOn ?? []) {
      const needed = byName.get(name)
      if (!needed) {
        throw new UsageError(`the metric ${metric.name} needs the metric ${name}`, {
          where: "metrics",
          hint: `add ${name} to the config's metrics, or name another one in ${metric.name}'s options`,
        })
      }
      visit(needed, [...path, metric.name])
    }
    ordered.add(metric)
  }
  for (const metric of metrics) visit(metric, [])
  return [...ordered]
}
