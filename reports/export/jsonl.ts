import type { ReportInput } from "../../src/core/report/report.ts"
import { answerRows } from "./answer-row.ts"
import { buffered, type Write } from "./write.ts"

/** Every answer with its scores as one JSON object per line, in plan order; see {@link AnswerRow} for the fields. */
export async function renderJsonl(input: ReportInput, write: Write): Promise<void> {
  const out = buffered(write)
  for await (const row of answerRows(input)) await out.push(`${JSON.stringify(row)}\n`)
  await out.end()
}
