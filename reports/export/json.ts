import type { ReportInput, RunReport } from "../../src/core/report/report.ts"
import { terminalJson } from "../../src/core/terminal-json.ts"
import { answerRows } from "./answer-row.ts"
import { buffered, type Write } from "./write.ts"

/**
 * The report as JSON in the published schema `evalkit.report/1` (`reports/schema/report-1.schema.json`). Numbers that are
 * not finite become null, as JSON has none. Ends with a line feed.
 * @experimental
 */
export function renderJson(report: RunReport): string {
  return `${terminalJson(report, 2)}\n`
}

/** Every answer with its scores as one JSON object per line, in plan order; see {@link AnswerRow} for the fields. */
export async function renderJsonl(input: ReportInput, write: Write): Promise<void> {
  const out = buffered(write)
  for await (const row of answerRows(input)) await out.push(`${terminalJson(row)}\n`)
  await out.end()
}
