import type { ChartName } from "../../reports/export/chart-svg.ts"
import type { ReportInput } from "../core/report/report.ts"
import type { CommandIo } from "./command.ts"

type Write = (chunk: string | Uint8Array) => void | Promise<void>
type Screen = Pick<CommandIo, "columns" | "color" | "unicode"> & { readonly chart?: ChartName }

interface Format {
  readonly binary: boolean
  render(input: ReportInput, write: Write, screen: Screen): Promise<void>
}

/** What `evalkit report` can render. Each loads its renderer when it is asked for. */
export const reportFormats = {
  terminal: text(async ({ report }, screen) =>
    (await import("../../reports/terminal/terminal.ts")).renderTerminal(report, screen),
  ),
  html: streamed(async (input, write) => (await import("../../reports/export/html.ts")).renderHtml(input, write)),
  markdown: text(async ({ report }) => (await import("../../reports/export/markdown.ts")).renderMarkdown(report)),
  json: text(async ({ report }) => (await import("../../reports/export/json.ts")).renderJson(report)),
  csv: text(async ({ report }) => (await import("../../reports/export/csv.ts")).renderCsv(report)),
  "answers-csv": streamed(async (input, write) =>
    (await import("../../reports/export/csv.ts")).renderAnswersCsv(input, write),
  ),
  jsonl: streamed(async (input, write) => (await import("../../reports/export/jsonl.ts")).renderJsonl(input, write)),
  parquet: {
    binary: true,
    render: async (input, write) => write(await (await import("../../reports/export/parquet.ts")).renderParquet(input)),
  },
  svg: text(async ({ report }, { chart = "frontier" }) =>
    (await import("../../reports/export/chart-svg.ts")).renderChartSvg(report, chart),
  ),
  png: {
    binary: true,
    render: async ({ report }, write, { chart = "frontier" }) =>
      write(await (await import("../../reports/export/chart-svg.ts")).renderChartPng(report, chart)),
  },
  junit: text(async ({ report }) => (await import("../../reports/export/junit.ts")).renderJunit(report)),
  annotations: text(async ({ report }) =>
    (await import("../../reports/export/annotations.ts")).renderAnnotations(report),
  ),
  "vega-lite": text(async ({ report }) => (await import("../../reports/export/vega-lite.ts")).renderVegaLite(report)),
  otlp: streamed(async (input, write) => (await import("../../reports/export/otlp.ts")).renderOtlp(input, write)),
  "otlp-metrics": streamed(async (input, write) =>
    (await import("../../reports/export/otlp-metrics.ts")).renderOtlpMetrics(input, write),
  ),
} as const satisfies Record<string, Format>

/** One of {@link reportFormats}. */
export type ReportFormat = keyof typeof reportFormats

/** Renders a run in a format, piece by piece. */
export function renderFormat(input: ReportInput, format: ReportFormat, write: Write, screen: Screen): Promise<void> {
  return reportFormats[format].render(input, write, screen)
}

function text(render: (input: ReportInput, screen: Screen) => Promise<string>): Format {
  return { binary: false, render: async (input, write, screen) => write(await render(input, screen)) }
}

function streamed(
  render: (input: ReportInput, write: (chunk: string) => void | Promise<void>) => Promise<void>,
): Format {
  return { binary: false, render: (input, write) => render(input, write) }
}
