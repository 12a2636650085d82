import type { ReportInput } from "../../src/core/report/report.ts"
import { type AnswerRow, answerRows } from "./answer-row.ts"

/** Answers of a row group: so many are in memory as objects. */
const rowsOfGroup = 10_000

/**
 * Every answer with its scores as one Parquet file (Snappy), a column per field and one `value: NAME` per metric; nulls
 * stay nulls. A row group at a time is in memory, besides the file itself. The writer is loaded on first use.
 */
export async function renderParquet(input: ReportInput): Promise<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer")
  const metrics = input.report.metrics.map(({ name }) => name)
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([], metrics) }),
    kvMetadata: [{ key: "evalkit.run", value: input.report.run.id }],
    createdBy: "evalkit",
  })
  let rows: AnswerRow[] = []
  const writeGroup = (): void => {
    // Types are said once, by the schema.
    const columnData = columnsOf(rows, metrics).map(({ name, data }) => ({ name, data }))
    file.write({ columnData, rowGroupSize: rowsOfGroup })
    rows = []
  }
  for await (const row of answerRows(input)) {
    rows.push(row)
    if (rows.length === rowsOfGroup) writeGroup()
  }
  if (rows.length > 0) writeGroup()
  file.finish()
  return new Uint8Array(writer.getBuffer())
}

const texts = ["sampleId", "variant", "group", "outcome", "source", "input", "text", "failure"] as const
const whole = ["repeat", "promptTokens", "completionTokens", "retries"] as const
const numbers = [
  "ttftMs",
  "e2eMs",
  "tpotMs",
  "serverQueueMs",
  "serverPrefillMs",
  "serverDecodeMs",
  "serverRestMs",
  "costUsd",
] as const

/** The columns of some rows. */
function columnsOf(rows: readonly AnswerRow[], metrics: readonly string[]) {
  return [
    ...texts.map((name) => ({ name, type: "STRING" as const, data: rows.map((row) => row[name]) })),
    { name: "references", type: "JSON" as const, data: rows.map((row) => [...row.references]) },
    { name: "copyOf", type: "JSON" as const, data: rows.map((row) => row.copyOf) },
    ...whole.map((name) => ({ name, type: "INT32" as const, data: rows.map((row) => row[name]) })),
    ...numbers.map((name) => ({ name, type: "DOUBLE" as const, data: rows.map((row) => row[name]) })),
    ...metrics.map((metric) => ({
      name: `value: ${metric}`,
      type: "DOUBLE" as const,
      data: rows.map((row) => row.values[metric] ?? null),
    })),
  ]
}
