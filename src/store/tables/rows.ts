import type { Measured } from "../../core/metric/metric.ts"
import type { StoredRow, StoredRows } from "../../core/run/run-store.ts"
import { decodeReason } from "../reason-codec.ts"
import { type Connection, parseColumn } from "./connection.ts"
import type { SqlValue } from "./database.ts"
import { upsert } from "./upsert.ts"

/** Names of a variant's metrics, stepped through by the key of the rows. Parameters: run, variant. */
const metricNames = `
  WITH RECURSIVE names (name) AS (
    SELECT min(metric) FROM rows WHERE run_id = ?1 AND variant = ?2
    UNION ALL
    SELECT (SELECT min(metric) FROM rows WHERE run_id = ?1 AND variant = ?2 AND metric > name) FROM names WHERE name IS NOT NULL
  )
  SELECT name FROM names WHERE name IS NOT NULL`

/**
 * Condition of all metrics' rows of one call: each is found by its key. An index by call would double what scoring writes.
 * Parameters: run, variant, sample id, repeat.
 */
export const rowsOfCall = `run_id = ?1 AND variant = ?2 AND sample_id = ?3 AND repeat = ?4 AND metric IN (${metricNames})`

/** The same of several samples. Parameters: run, variant, sample ids as a JSON list. */
const rowsOfSamples = `run_id = ?1 AND variant = ?2 AND sample_id IN (SELECT value FROM json_each(?3)) AND metric IN (${metricNames})`

const rowKey = ["run_id", "variant", "metric", "sample_id", "repeat"] as const

/** What metrics measured, one row an answer and metric. */
export function createStoredRows({ sql, pages, transaction, list }: Connection): StoredRows {
  return {
    saveRows(runId, rows) {
      transaction(() => {
        sql(upsert("rows", rowKey, ["value", "code", "reason", "row"])).runAll(
          rows.map((row) => [
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
          ]),
        )
      })
    },
    *rows(runId, variant, metric) {
      for (const row of pages(
        `SELECT ${rowColumns} FROM rows WHERE run_id = ? AND variant = ? AND metric = ?`,
        [runId, variant, metric],
        ["sample_id", "repeat"],
      ))
        yield toStoredRow(row, variant, metric)
    },
    scoredMetrics(runId, variant) {
      return sql(metricNames)
        .all([runId, variant])
        .map(([name]) => String(name))
    },
    answerRows(runId, variant, sampleIds) {
      return sql(`SELECT ${rowColumns}, metric FROM rows WHERE ${rowsOfSamples}`)
        .all([runId, variant, list(sampleIds)])
        .map((row) => toStoredRow(row, variant, String(row.at(-1))))
    },
    clearRows(runId) {
      transaction(() => {
        sql("DELETE FROM rows WHERE run_id = ?").run([runId])
        sql("DELETE FROM row_makers WHERE run_id = ?").run([runId])
      })
    },
    rowMaker(runId, metric) {
      const known = sql("SELECT maker FROM row_makers WHERE run_id = ? AND metric = ?").get([runId, metric])
      return known ? String(known.maker) : null
    },
    saveRowMaker(runId, metric, maker, drop) {
      transaction(() => {
        const variants = drop ? sql("SELECT DISTINCT variant FROM generations WHERE run_id = ?").all([runId]) : []
        for (const [variant] of variants)
          sql("DELETE FROM rows WHERE run_id = ? AND variant = ? AND metric = ?").run([runId, String(variant), metric])
        sql(upsert("row_makers", ["run_id", "metric"], ["maker"])).run([runId, metric, maker])
      })
    },
  }
}

/** What {@link toStoredRow} reads. */
const rowColumns = "sample_id, repeat, value, code, reason, row"

/** The row, or what was found out although there is no score. */
function keptRow(measured: Measured<unknown>): string | null {
  if (measured.status === "scored") return JSON.stringify(measured.row)
  return measured.details === undefined ? null : JSON.stringify(measured.details)
}

function toStoredRow(columns: readonly SqlValue[], variant: string, metric: string): StoredRow {
  const [sampleId, repeat, value, code, reason, row] = columns as [
    SqlValue,
    SqlValue,
    SqlValue,
    SqlValue,
    SqlValue,
    SqlValue,
  ]
  return {
    variant,
    metric,
    sampleId: String(sampleId),
    repeat: Number(repeat),
    value: value === null ? null : Number(value),
    measured:
      reason === null
        ? { status: "scored", row: parseColumn<unknown>(row) }
        : {
            status: "unscored",
            ...decodeReason(code === null ? null : String(code), String(reason)),
            ...(row !== null && { details: parseColumn<unknown>(row) }),
          },
  }
}
