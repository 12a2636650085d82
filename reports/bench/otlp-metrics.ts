import { otlpAttributes, otlpResource, otlpScope, otlpStamp } from "../export/otlp-attributes.ts"
import { exportedFigures } from "./exported-figures.ts"
import type { BenchDocument } from "./renderers.ts"

const units = {
  seconds: "s",
  requests_per_second: "{request}/s",
  tokens_per_second: "{token}/s",
  ratio: "1",
  usd: "USD",
  requests: "{request}",
} as const

/**
 * A bench as OpenTelemetry metrics: one `ExportMetricsServiceRequest` in OTLP/JSON, as a POST to `/v1/metrics` takes it. Gauges
 * `evalkit.bench.NAME` at the end of the bench, with the attributes of the Prometheus form.
 */
export function benchOtlpMetrics(bench: BenchDocument): string {
  const run = { id: bench.id, name: "load test", versions: { evalkit: bench.version } }
  const timeUnixNano = otlpStamp(bench.finishedAt, 0)
  const metrics = exportedFigures(bench).map(({ name, unit, help, points }) => ({
    name: `evalkit.bench.${name}`,
    unit: units[unit],
    description: help,
    gauge: {
      dataPoints: points.map(({ labels, value }) => {
        const named = Object.entries(labels).map(([label, text]) => [`evalkit.${label}`, text])
        return { attributes: otlpAttributes(Object.fromEntries(named)), timeUnixNano, asDouble: value }
      }),
    },
  }))
  const request = {
    resourceMetrics: [{ resource: otlpResource({ run }), scopeMetrics: [{ scope: otlpScope({ run }), metrics }] }],
  }
  return `${JSON.stringify(request)}\n`
}
