import type { ReportInput } from "../../src/core/report/report.ts"
import { type AnswerRow, answerRows } from "./answer-row.ts"

/**
 * Every answer with its scores as one Parquet file (Snappy), a column per field and one `value: NAME` per metric; nulls
 * stay nulls. Holds the columns in memory while it writes. The writer is loaded on first
 * use.
 */
export async function renderParquet(input: ReportInput): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer")
  const rows: AnswerRow[] = []
  for await (const row of answerRows(input)) rows.push(row)
  const texts = ["sampleId", "variant", "group", "outcome", "source", "input", "text", "failure"] as const
  const whole = ["repeat", "promptTokens", "completionTokens", "retries"] as const
  const numbers = [
    "ttftMs",
    "e2eMs",
    "tpotMs",
    "serverQueueMs",
    "serverPrefillMs",
    "serverDecodeMs",
    "costUsd",
  ] as const
  const columnData = [
    ...texts.map((name) => ({ name, type: "STRING" as const, data: rows.map((row) => row[name]) })),
    { name: "references", type: "JSON" as const, data: rows.map((row) => [...row.references]) },
    { name: "copyOf", type: "JSON" as const, data: rows.map((row) => row.copyOf) },
    ...whole.map((name) => ({ name, type: "INT32" as const, data: rows.map((row) => row[name]) })),
    ...numbers.map((name) => ({ name, type: "DOUBLE" as const, data: rows.map((row) => row[name]) })),
    ...input.report.metrics.map((metric) => ({
      name: `value: ${metric.name}`,
      type: "DOUBLE" as const,
      data: rows.map((row) => row.values[metric.name] ?? null),
    })),
  ]
  const buffer = parquetWriteBuffer({
    columnData,
    kvMetadata: [{ key: "evalkit.run", value: input.report.run.id }],
    createdBy: "evalkit",
  })
  return new Uint8Array(buffer)
}
