import type { BenchResult } from "../../src/perf/bench/bench-result.ts"

/** A load test that is written. */
export interface BenchDocument {
  readonly id: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly finishedAt: string
  /** Of evalkit. */
  readonly version: string
  readonly result: BenchResult
}

/** One way to write a load test. */
export interface BenchRenderer {
  readonly name: string
  /** Ending of its file. */
  readonly extension: string
  /** @param width columns of the screen */
  render(bench: BenchDocument, width: number): Promise<string>
}

/** Every way to write a load test, by name. To add one, write its file and add it here. */
export const benchRenderers: readonly BenchRenderer[] = [
  renderer("terminal", "txt", async ({ result }, width) => (await import("./text.ts")).benchText(result, width)),
  renderer("html", "html", async ({ result }) => (await import("./html.ts")).benchHtml(result)),
  renderer("markdown", "md", async ({ result }) => (await import("./markdown.ts")).benchMarkdown(result)),
  renderer("json", "json", async ({ result }) => `${JSON.stringify((await import("./json.ts")).benchJson(result))}\n`),
  renderer("csv", "csv", async ({ result }) => (await import("./csv.ts")).benchCsv(result)),
  renderer("prometheus", "prom", async (bench) => (await import("./prometheus.ts")).benchPrometheus(bench)),
  renderer("otlp-metrics", "otlp-metrics.jsonl", async (bench) =>
    (await import("./otlp-metrics.ts")).benchOtlpMetrics(bench),
  ),
]

function renderer(name: string, extension: string, render: BenchRenderer["render"]): BenchRenderer {
  return { name, extension, render }
}
