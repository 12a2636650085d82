import type { Measured } from "../../core/metric/metric.ts"
import { readUnscoredCode } from "../../core/metric/unscored-code.ts"
import type { CallKey, StoredRow, StoredRows } from "../../core/run/run-store.ts"
import { encodeRows } from "../encode-rows.ts"
import { ofMetric } from "./conditions.ts"
import { type Connection, parseColumn } from "./connection.ts"
import type { SqlValue } from "./database.ts"
import { createRowBlocks } from "./row-blocks.ts"
import type { RunLocks } from "./run-locks.ts"
import { toStoredText } from "./stored-text.ts"
import { insertIfNew, upsert } from "./upsert.ts"

/** Names of a variant's metrics, stepped through by the key of the rows. Parameters: run, variant. */
const metricNames = `
  WITH RECURSIVE names (name) AS (
    SELECT min(metric) FROM rows WHERE run_id = ?1 AND variant = ?2
    UNION ALL
    SELECT (SELECT min(metric) FROM rows WHERE run_id = ?1 AND variant = ?2 AND metric > name) FROM names WHERE name IS NOT NULL
  )
  SELECT name FROM names WHERE name IS NOT NULL`

/**
 * Deletes all metrics' rows of one call: each is found by its key. An index by call would double what scoring writes.
 * Parameters: run, variant, sample id, repeat.
 */
const deleteOfCall = `DELETE FROM rows WHERE run_id = ?1 AND variant = ?2 AND sample_id = ?3 AND repeat = ?4 AND metric IN (${metricNames})`

const rowKey = ["run_id", "variant", "metric", "sample_id", "repeat"] as const
const rowValues = ["value", "code", "reason", "row"] as const

/** What metrics measured, one row an answer and metric. */
export function createStoredRows(connection: Connection, locks: Pick<RunLocks, "isAlone">): StoredRows {
  const { sql, pages, transaction, list } = connection
  const blocks = createRowBlocks(connection)
  const singles = function* (runId: string, variant: string, metric: string): Generator<StoredRow> {
    for (const row of pages(
      `SELECT ${rowColumns} FROM rows WHERE ${ofMetric}`,
      [runId, variant, metric],
      ["sample_id", "repeat"],
    ))
      yield toStoredRow(row, variant, metric)
  }
  return {
    saveRows(runId, rows) {
      transaction(() => saveSingles(connection, runId, blocks.save(runId, encodeRows(rows))))
    },
    saveEncodedRows(runId, rows) {
      transaction(() => saveSingles(connection, runId, blocks.save(runId, rows)))
    },
    addRows(runId, rows) {
      const held = new Set(
        [...new Set(rows.map(({ variant }) => variant))].flatMap((variant) => {
          const ids = rows.filter((row) => row.variant === variant).map(({ sampleId }) => sampleId)
          return blocks.rowsOf(runId, variant, [...new Set(ids)]).map((row) => `${variant}\u0000${placeOf(row)}`)
        }),
      )
      const added = rows.filter((row) => !held.has(`${row.variant}\u0000${placeOf(row)}`))
      transaction(() => saveSingles(connection, runId, added, insertIfNew("rows", [...rowKey, ...rowValues])))
    },
    countRows(runId) {
      const counts = sql("SELECT sample_id, count(*) FROM rows WHERE run_id = ? GROUP BY sample_id").all([runId])
      const bySample = new Map(counts.map(([sampleId, count]) => [String(sampleId), Number(count)]))
      for (const [variant] of sql("SELECT DISTINCT variant FROM row_blocks WHERE run_id = ?").all([runId]))
        for (const metric of blocks.metrics(runId, String(variant)))
          for (const { sampleId } of blocks.rows(runId, String(variant), metric))
            bySample.set(sampleId, (bySample.get(sampleId) ?? 0) + 1)
      return bySample
    },
    rows: (runId, variant, metric) => newerFirst(singles(runId, variant, metric), blocks.rows(runId, variant, metric)),
    scoredMetrics(runId, variant) {
      const kept = sql(metricNames)
        .all([runId, variant])
        .map(([name]) => String(name))
      const names = new Set([...kept, ...blocks.metrics(runId, variant)])
      return [...names].sort(byText)
    },
    answerRows(runId, variant, sampleIds) {
      const query = `SELECT ${rowColumns}, metric FROM rows WHERE run_id = ?1 AND variant = ?2 AND sample_id IN (SELECT value FROM json_each(?3)) AND metric IN (${metricNames})`
      const newer = sql(query)
        .all([runId, variant, list(sampleIds)])
        .map((row) => toStoredRow(row, variant, String(row.at(-1))))
      const older = blocks.rowsOf(runId, variant, sampleIds)
      if (older.length === 0) return newer
      const keys = new Set(newer.map(placeOf))
      return [...newer, ...older.filter((row) => !keys.has(placeOf(row)))].sort(byPlace)
    },
    clearRows(runId) {
      transaction(() => {
        if (locks.isAlone()) blocks.clearAlone(runId)
        else blocks.clear(runId)
        sql("DELETE FROM rows WHERE run_id = ?").run([runId])
        sql("DELETE FROM row_makers WHERE run_id = ?").run([runId])
      })
    },
    rowMaker(runId, metric) {
      const existing = sql("SELECT maker FROM row_makers WHERE run_id = ? AND metric = ?").get([runId, metric])
      return existing ? String(existing.maker) : null
    },
    saveRowMaker(runId, metric, maker, drop) {
      transaction(() => {
        const variants = drop ? sql("SELECT DISTINCT variant FROM generations WHERE run_id = ?").all([runId]) : []
        for (const [variant] of variants) {
          blocks.clear(runId, { variant: String(variant), metric })
          sql("DELETE FROM rows WHERE run_id = ? AND variant = ? AND metric = ?").run([runId, String(variant), metric])
        }
        sql(upsert("row_makers", ["run_id", "metric"], ["maker"])).run([runId, metric, maker])
      })
    },
  }
}

/** Keeps rows one by one. */
function saveSingles(
  { sql }: Connection,
  runId: string,
  rows: readonly StoredRow[],
  statement: string = upsert("rows", rowKey, rowValues),
): void {
  if (rows.length === 0) return
  sql(statement).runAll(
    rows.map((row) => [
      runId,
      row.variant,
      row.metric,
      row.sampleId,
      row.repeat,
      row.value,
      row.measured.status === "unscored" ? row.measured.code : null,
      row.measured.status === "unscored" ? row.measured.reason : null,
      keptRow(row.measured),
    ]),
  )
}

/** Deletes all metrics' rows of one call. */
export function deleteRowsOfCall(connection: Connection, runId: string, { variant, sampleId, repeat }: CallKey): void {
  const held = createRowBlocks(connection).unpack(runId, variant, sampleId)
  if (held.length > 0) {
    const keys = new Set(
      [...new Set(held.map(({ metric }) => metric))].flatMap((metric) => {
        const span = held.filter((row) => row.metric === metric)
        return connection
          .sql(`SELECT sample_id, repeat FROM rows WHERE ${ofMetric} AND sample_id >= ? AND sample_id <= ?`)
          .all([runId, variant, metric, span[0]?.sampleId ?? "", span.at(-1)?.sampleId ?? ""])
          .map(([id, number]) => placeOf({ metric, sampleId: String(id), repeat: Number(number) }))
      }),
    )
    saveSingles(
      connection,
      runId,
      held.filter((row) => !keys.has(placeOf(row))),
    )
  }
  connection.sql(deleteOfCall).run([runId, variant, sampleId, repeat])
}

/** Both lists, by sample id and repeat; of a place that both have, the row of the first. */
function* newerFirst(newer: Generator<StoredRow>, older: Generator<StoredRow>): Generator<StoredRow> {
  let next = newer.next()
  for (const row of older) {
    while (!next.done && order(next.value, row) < 0) {
      yield next.value
      next = newer.next()
    }
    if (next.done || order(next.value, row) !== 0) yield row
  }
  while (!next.done) {
    yield next.value
    next = newer.next()
  }
}

/** In the order of the store, where `plain` has a plain id. */
function order(row: StoredRow, plain: StoredRow): number {
  if (row.sampleId === plain.sampleId) return row.repeat - plain.repeat
  return toStoredText(row.sampleId) < plain.sampleId ? -1 : 1
}

function placeOf({ metric, sampleId, repeat }: Pick<StoredRow, "metric" | "sampleId" | "repeat">): string {
  return `${repeat}\u0000${metric}\u0000${sampleId}`
}

/** By metric, sample and repeat. */
function byPlace(a: StoredRow, b: StoredRow): number {
  return byText(a.metric, b.metric) || byText(a.sampleId, b.sampleId) || a.repeat - b.repeat
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What {@link toStoredRow} reads. */
const rowColumns = ["sample_id", "repeat", ...rowValues].join(", ")

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
            code: readUnscoredCode(code),
            reason: String(reason),
            ...(row !== null && { details: parseColumn<unknown>(row) }),
          },
  }
}
