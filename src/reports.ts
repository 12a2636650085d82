// `evalkit/reports`: reports: their data, their formats, their sections.

export { type HtmlOptions, renderHtml } from "../reports/export/html.ts"
export { renderJson } from "../reports/export/json.ts"
export { renderJunit } from "../reports/export/junit.ts"
export { renderMarkdown } from "../reports/export/markdown.ts"
export {
  annotations,
  answersCsv,
  type ChartOptions,
  csv,
  html,
  json,
  jsonl,
  junit,
  markdown,
  otlp,
  otlpMetrics,
  parquet,
  png,
  reportRenderers,
  svg,
  terminal,
  vegaLite,
} from "../reports/renderers.ts"
export * from "./core/report/comparison.ts"
export * from "./core/report/decision.ts"
export * from "./core/report/figure.ts"
export * from "./core/report/frontier.ts"
export * from "./core/report/report.ts"
export type { ReportRenderer, ReportScreen, WriteChunk } from "./core/report/report-renderer.ts"
export * from "./core/report/report-sections.ts"
export { type IntervalOptions, type QualityResult, qualityFigure } from "./engine/report/interval.ts"
export { type CalibrationSectionOptions, calibrationSection } from "./engine/report/sections/calibration.ts"
export { type DivergenceSectionOptions, divergenceSection } from "./engine/report/sections/divergence.ts"
export { type RobustnessSectionOptions, robustnessSection } from "./engine/report/sections/robustness.ts"
