import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import type { MetricRecipe } from "../../src/core/metric/metric.ts"

/** How a metric of the catalogue is made again: its name and those of its options that are JSON. */
export function recipe(metric: string, options: Readonly<Record<string, unknown>>): MetricRecipe {
  const kept = Object.entries(options).filter((entry): entry is [string, JsonValue] => isPlain(entry[1]))
  return { metric, options: Object.fromEntries(kept) as JsonObject }
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value)
}
