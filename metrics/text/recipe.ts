import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import type { MetricRecipe } from "../../src/core/metric/metric.ts"

/**
 * How a metric of the catalogue is made again: its name and those of its options that are JSON. Others (functions, models) are left
 * out: where one of them matters to the summary, the signature of what is made again differs, and it is not taken.
 */
export function recipe(metric: string, options: object): MetricRecipe {
  const kept = Object.entries(options).filter((entry): entry is [string, JsonValue] => isJson(entry[1]))
  return { metric, options: Object.fromEntries(kept) as JsonObject }
}

function isJson(value: unknown): boolean {
  if (typeof value === "object" && value !== null) {
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
    return isPlain && Object.values(value).every(isJson)
  }
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)
}
