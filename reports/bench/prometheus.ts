import { exportedFigures } from "./exported-figures.ts"
import type { BenchDocument } from "./renderers.ts"

/**
 * A bench in Prometheus' text format 0.0.4: gauges `evalkit_bench_NAME_UNIT` in base units. Without timestamps, which neither the textfile
 * collector nor the Pushgateway takes: when it ended is a gauge of its own.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function benchPrometheus(bench: BenchDocument): string {
  const figures = exportedFigures(bench).map(({ name, unit, help, points }) =>
    family(`evalkit_bench_${name}_${unit}`, help, points),
  )
  const ended = [{ labels: { bench: bench.id }, value: Date.parse(bench.finishedAt) / 1000 }]
  return [...figures, family("evalkit_bench_end_timestamp_seconds", "when the load test ended", ended)].join("")
}

function family(name: string, help: string, points: ReturnType<typeof exportedFigures>[number]["points"]): string {
  const lines = points.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
    return `${name}{${pairs.join(",")}} ${value}`
  })
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} gauge\n${lines.join("\n")}\n`
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
}
