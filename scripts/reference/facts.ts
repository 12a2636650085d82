import { everyMetric } from "../../test/catalogue/every-metric.ts"
import type { MetricFacts } from "./entries.ts"

/** Direction, range, unit and signature of every metric of the catalogue, made as the tests make them. */
export function metricFacts(root: URL): Map<string, MetricFacts> {
  const made = everyMetric({
    nli: "model",
    moderation: "http://127.0.0.1:9/v1",
    model: new URL("models/tiny/tiny-s-f16.gguf", root),
  })
  return new Map(
    Object.entries(made).map(([name, { direction, range, unit, signature }]) => [
      name,
      { direction, range: range ?? [null, null], unit: unit ?? "", signature: signature.replaceAll(root.pathname, "") },
    ]),
  )
}
