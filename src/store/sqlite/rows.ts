import type { Measured } from "../../core/metric/metric.ts"
import type { StoredRow, StoredRows } from "../../core/run/run-store.ts"
import { decodeReason } from "../reason-codec.ts"
import { type Connection, pageSize, parseColumn } from "./connection.ts"
import type { SqlValue } from "./database.ts"

/** What metrics measured, one row an answer and metric. */
export function createStoredRows({ sql, transaction }: Connection): StoredRows {
  return {
    saveRows(runId, rows) {
      transaction(() => {
        for (const row of rows) {
          sql(
            "INSERT OR REPLACE INTO rows (run_id, variant, metric, sample_id, repeat, value, code, reason, row) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          ).run([
            runId,
            row.variant,
            row.metric,
            row.sampleId,
            row.repeat,
            row.value,
            // Rows of older archives have no code.
            row.measured.status === "unscored" ? (row.measured.code ?? null) : null,
            row.measured.status === "unscored" ? row.measured.reason : null,
            keptRow(row.measured),
          ])
        }
      })
    },
    *rows(runId, variant, metric) {
      let [afterId, afterRepeat]: [string, number] = ["", -1]
      for (;;) {
        const page = sql(
          `SELECT sample_id, repeat, value, code, reason, row FROM rows WHERE run_id = ? AND variant = ? AND metric = ? AND (sample_id, repeat) > (?, ?) ORDER BY sample_id, repeat LIMIT ${pageSize}`,
        ).all([runId, variant, metric, afterId, afterRepeat])
        for (const row of page) yield toStoredRow(row, variant, metric)
        if (page.length < pageSize) return
        afterId = String(page.at(-1)?.sample_id)
        afterRepeat = Number(page.at(-1)?.repeat)
      }
    },
    answerRows(runId, { variant, sampleId, repeat }) {
      return sql(
        "SELECT metric, sample_id, repeat, value, code, reason, row FROM rows INDEXED BY rows_by_answer WHERE run_id = ? AND variant = ? AND sample_id = ? AND repeat = ?",
      )
        .all([runId, variant, sampleId, repeat])
        .map((row) => toStoredRow(row, variant, String(row.metric)))
    },
    clearRows(runId) {
      sql("DELETE FROM rows WHERE run_id = ?").run([runId])
    },
  }
}

/** The row, or what was found out although there is no score. */
function keptRow(measured: Measured<unknown>): string | null {
  if (measured.status === "scored") return JSON.stringify(measured.row)
  return measured.details === undefined ? null : JSON.stringify(measured.details)
}

function toStoredRow(row: Record<string, SqlValue>, variant: string, metric: string): StoredRow {
  return {
    variant,
    metric,
    sampleId: String(row.sample_id),
    repeat: Number(row.repeat),
    value: row.value === null ? null : Number(row.value),
    measured:
      row.reason === null
        ? { status: "scored", row: parseColumn<unknown>(row.row) }
        : {
            status: "unscored",
            ...decodeReason(row.code === null ? null : String(row.code), String(row.reason)),
            ...(row.row !== null && { details: parseColumn<unknown>(row.row) }),
          },
  }
}
