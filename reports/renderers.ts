import { checkOptions } from "../src/core/options.ts"
import type { ReportInput } from "../src/core/report/report.ts"
import type { ReportRenderer, ReportScreen } from "../src/core/report/report-renderer.ts"
import type { ChartName } from "./export/chart-svg.ts"

/** There is nothing to choose. @public */
export type NoOptions = Readonly<Record<string, never>>

/** Which chart is drawn. @public */
export interface ChartOptions {
  /** Default: the one that the command line names, else the frontier. */
  readonly chart?: ChartName
}

/** The summary that `evalkit run` ends with. @public */
export function terminal(options: NoOptions = {}): ReportRenderer {
  return text(["terminal", "txt", options], async ({ report }, screen) =>
    (await import("./terminal/terminal.ts")).renderTerminal(report, screen),
  )
}

/** The page: one self-contained file with every section and the samples. @public */
export function html(options: NoOptions = {}): ReportRenderer {
  return streamed(["html", "html", options], async (input, write, { audience, samples }) =>
    (await import("./export/html.ts")).renderHtml(input, write, {
      ...(audience && { audience }),
      ...(samples !== undefined && { samples }),
    }),
  )
}

/** For a pull request. @public */
export function markdown(options: NoOptions = {}): ReportRenderer {
  return text(["markdown", "md", options], async ({ report }, { audience }) =>
    audience === "boss"
      ? (await import("./export/briefing.ts")).renderBriefing(report)
      : (await import("./export/markdown.ts")).renderMarkdown(report),
  )
}

/** The report in the published schema `evalkit.report/1`. @public */
export function json(options: NoOptions = {}): ReportRenderer {
  return text(["json", "json", options], async ({ report }) => (await import("./export/json.ts")).renderJson(report))
}

/** A table with one row per variant. @public */
export function csv(options: NoOptions = {}): ReportRenderer {
  return text(["csv", "csv", options], async ({ report }, screen) =>
    (await import("./export/csv.ts")).renderCsv(report, screen.exact),
  )
}

/** A table with one row per answer. @public */
export function answersCsv(options: NoOptions = {}): ReportRenderer {
  return streamed(["answers-csv", "answers.csv", options], async (input, write, screen) =>
    (await import("./export/csv.ts")).renderAnswersCsv(input, write, screen.exact),
  )
}

/** One JSON line per answer. @public */
export function jsonl(options: NoOptions = {}): ReportRenderer {
  return streamed(["jsonl", "jsonl", options], async (input, write) =>
    (await import("./export/json.ts")).renderJsonl(input, write),
  )
}

/** One row per answer, in columns. @public */
export function parquet(options: NoOptions = {}): ReportRenderer {
  return bytes(["parquet", "parquet", options], async (input) =>
    (await import("./export/parquet.ts")).renderParquet(input),
  )
}

/** One chart as a picture that scales. @public */
export function svg(options: ChartOptions = {}): ReportRenderer {
  checkOptions("renderers.svg", options, "renderers.chart")
  return text(["svg", "svg"], async ({ report }, screen) =>
    (await import("./export/chart-svg.ts")).renderChartSvg(report, chartOf(options, screen)),
  )
}

/** One chart as a picture of pixels; needs the package `@resvg/resvg-js`. @public */
export function png(options: ChartOptions = {}): ReportRenderer {
  checkOptions("renderers.png", options, "renderers.chart")
  return bytes(["png", "png"], async ({ report }, screen) =>
    (await import("./export/chart-svg.ts")).renderChartPng(report, chartOf(options, screen)),
  )
}

/** For CI: gate, checks and verdicts as test cases. @public */
export function junit(options: NoOptions = {}): ReportRenderer {
  return text(["junit", "junit.xml", options], async ({ report }) =>
    (await import("./export/junit.ts")).renderJunit(report),
  )
}

/** Lines that GitHub Actions shows beside a change. @public */
export function annotations(options: NoOptions = {}): ReportRenderer {
  return text(["annotations", "annotations.txt", options], async ({ report }) =>
    (await import("./export/annotations.ts")).renderAnnotations(report),
  )
}

/** The report in Markdown as the summary of a step in GitHub Actions, within the 1 MiB that it takes. @public */
export function stepSummary(options: NoOptions = {}): ReportRenderer {
  return text(["step-summary", "summary.md", options], async ({ report }) =>
    (await import("./export/step-summary.ts")).renderStepSummary(report),
  )
}

/** One OpenTelemetry span per answer. @public */
export function otlp(options: NoOptions = {}): ReportRenderer {
  return streamed(["otlp", "otlp.jsonl", options], async (input, write) =>
    (await import("./export/otlp.ts")).renderOtlp(input, write),
  )
}

/** Latencies and token counts as OpenTelemetry metrics. @public */
export function otlpMetrics(options: NoOptions = {}): ReportRenderer {
  return streamed(["otlp-metrics", "otlp-metrics.jsonl", options], async (input, write) =>
    (await import("./export/otlp-metrics.ts")).renderOtlpMetrics(input, write),
  )
}

/** Scores as OpenTelemetry log events `gen_ai.evaluation.result`. @public */
export function otlpLogs(options: NoOptions = {}): ReportRenderer {
  return streamed(["otlp-logs", "otlp-logs.jsonl", options], async (input, write) =>
    (await import("./export/otlp-logs.ts")).renderOtlpLogs(input, write),
  )
}

/** Scores as Langfuse takes them, one JSON line each. @public */
export function langfuse(options: NoOptions = {}): ReportRenderer {
  return streamed(["langfuse", "langfuse.jsonl", options], async (input, write) =>
    (await import("./export/tracker-rows.ts")).renderLangfuse(input, write),
  )
}

/** Variants and answers for Weights & Biases, one JSON line each. @public */
export function wandb(options: NoOptions = {}): ReportRenderer {
  return streamed(["wandb", "wandb.jsonl", options], async (input, write) =>
    (await import("./export/tracker-rows.ts")).renderWandb(input, write),
  )
}

/** Every renderer that `evalkit report` and `evalkit export` know by name; a config may name more. @public */
export const reportRenderers: readonly ReportRenderer[] = [
  terminal(),
  html(),
  markdown(),
  json(),
  csv(),
  answersCsv(),
  jsonl(),
  parquet(),
  svg(),
  png(),
  junit(),
  annotations(),
  stepSummary(),
  otlp(),
  otlpMetrics(),
  otlpLogs(),
  langfuse(),
  wandb(),
]

function chartOf({ chart }: ChartOptions, screen: ReportScreen): ChartName {
  return chart ?? (screen.chart as ChartName | undefined) ?? "frontier"
}

/** Name and extension of a renderer, and what it was called with, where that must be nothing. */
type Named = readonly [name: string, extension: string, options?: NoOptions]

function text(named: Named, render: (input: ReportInput, screen: ReportScreen) => Promise<string>): ReportRenderer {
  return streamed(named, async (input, write, screen) => write(await render(input, screen)))
}

function bytes(
  named: Named,
  render: (input: ReportInput, screen: ReportScreen) => Promise<Uint8Array>,
): ReportRenderer {
  const renderer = streamed(named, async (input, write, screen) => write(await render(input, screen)))
  return { ...renderer, binary: true }
}

function streamed([name, extension, options]: Named, render: ReportRenderer["render"]): ReportRenderer {
  const called = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  checkOptions(`renderers.${called}`, options, "renderers")
  return { name, extension, binary: false, render }
}
