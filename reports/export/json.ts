import type { RunReport } from "../../src/core/report/report.ts"

/**
 * The report as JSON in the published schema `evalkit.report/1` (`reports/schema/report-1.schema.json`). Numbers that are
 * not finite become null, as JSON has none. Ends with a line feed.
 * @experimental
 */
export function renderJson(report: RunReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
