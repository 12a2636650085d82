import type { JsonObject } from "../../core/json.ts"
import type { RunEvent, RunRecord, RunStatus, VariantState } from "../../core/run/run-record.ts"
import type { StoredRuns } from "../../core/run/run-store.ts"
import { decodeReport } from "../report-codec.ts"
import { notIn } from "./conditions.ts"
import { type Connection, parseColumn, redactedColumn } from "./connection.ts"
import type { SqlValue } from "./database.ts"
import type { RunLocks } from "./run-locks.ts"
import { upsert } from "./upsert.ts"

/**
 * Runs with what belongs to a run as a whole: its status, events, variants' states and report.
 *
 * @param locks who writes to which run; one that says `running` and is not written has stopped
 */
export function createStoredRuns({ sql, pages, transaction, list }: Connection, locks: RunLocks): StoredRuns {
  const now = <Run extends Pick<RunRecord, "id" | "status">>(run: Run): Run =>
    run.status === "running" && !locks.isWritten(run.id) ? { ...run, status: "stopped" } : run
  return {
    createRun(record) {
      if (record.status === "running") locks.take(record.id)
      sql("INSERT INTO runs (id, started_at, finished_at, status, plan, record) VALUES (?, ?, ?, ?, ?, ?)").run([
        record.id,
        record.mergedAt ?? record.startedAt,
        record.finishedAt,
        record.status,
        record.plan,
        redactedColumn(record),
      ])
    },
    setStatus(runId, status, finishedAt) {
      if (status === "running") locks.take(runId)
      sql("UPDATE runs SET status = ?, finished_at = ? WHERE id = ?").run([status, finishedAt, runId])
      if (status !== "running") locks.release(runId)
    },
    runs(kinds = "evaluations") {
      return sql("SELECT status, finished_at, record FROM runs ORDER BY started_at DESC, id")
        .all([])
        .map(([status, finishedAt, record]) => toRunRecord(status, finishedAt, record))
        .filter(({ kind }) => kinds === "all" || kind === undefined)
        .map(now)
    },
    runStates() {
      return sql("SELECT id, status, finished_at FROM runs ORDER BY started_at DESC, id")
        .all([])
        .map(([id, status, finishedAt]) =>
          now({
            id: String(id),
            status: String(status) as RunStatus,
            finishedAt: finishedAt === null ? null : String(finishedAt),
          }),
        )
    },
    run(runId) {
      const row = sql("SELECT status, finished_at, record FROM runs WHERE id = ?").get([runId])
      return row ? now(toRunRecord(row.status, row.finished_at, row.record)) : null
    },
    saveVariantState(runId, variant, state) {
      sql(upsert("variant_states", ["run_id", "variant"], ["data"])).run([runId, variant, redactedColumn(state)])
    },
    variantState(runId, variant) {
      const row = sql("SELECT data FROM variant_states WHERE run_id = ? AND variant = ?").get([runId, variant])
      return row ? parseColumn<VariantState>(row.data) : null
    },
    saveEvent(runId, { at, kind, data }) {
      const insert = "INSERT INTO events (run_id, at, kind, data) VALUES (?, ?, ?, ?) RETURNING number"
      return Number(sql(insert).all([runId, at, kind, redactedColumn(data)])[0]?.[0])
    },
    updateEvent(number, data) {
      sql("UPDATE events SET data = ? WHERE number = ?").run([redactedColumn(data), number])
    },
    *events(runId) {
      for (const [, at, kind, data] of pages("SELECT number, at, kind, data FROM events WHERE run_id = ?", [runId]))
        yield { at: String(at), kind: String(kind), data: parseColumn<JsonObject>(data) } satisfies RunEvent
    },
    *eventsOfKinds(kinds) {
      const query = "SELECT number, run_id, at, kind, data FROM events WHERE kind IN (SELECT value FROM json_each(?))"
      for (const [, runId, at, kind, data] of pages(query, [list(kinds)]))
        yield { runId: String(runId), at: String(at), kind: String(kind), data: parseColumn<JsonObject>(data) }
    },
    saveReport(runId, report) {
      sql(upsert("reports", ["run_id"], ["data"])).run([runId, JSON.stringify(report)])
    },
    report(runId) {
      const row = sql("SELECT data FROM reports WHERE run_id = ?").get([runId])
      return row ? decodeReport(String(row.data)) : null
    },
    removeRun(runId) {
      locks.take(runId)
      transaction(() => {
        sql("DELETE FROM runs WHERE id = ?").run([runId])
        for (const table of runTables) sql(`DELETE FROM ${table} WHERE run_id = ?`).run([runId])
        // Others may be about to begin a run of samples that no run has yet: the next removal finds what stays now.
        if (!locks.isAlone()) return
        sql(`DELETE FROM samples WHERE ${samplesOfNoRun}`).run([])
        sql(`DELETE FROM dataset_media WHERE ${samplesOfNoRun}`).run([])
        sql("DELETE FROM media WHERE sha256 NOT IN (SELECT sha256 FROM dataset_media)").run([])
      })
      locks.release(runId)
    },
  }
}

/** Tables whose rows belong to a run, by their column `run_id`. */
export const runTables = [
  "generations",
  "rows",
  "row_blocks",
  "row_makers",
  "variant_states",
  "events",
  "reports",
  "labels",
  "model_calls",
  "attempts",
  "steps",
  "batches",
  "workers",
  "claims",
  "questions",
  "quotas",
  "leases",
  "paces",
] as const

/** Condition of samples whose data set no run has. */
export const samplesOfNoRun = notIn("dataset", "SELECT json_extract(record, '$.dataset.fingerprint') FROM runs")

/** The record as it was planned, with the status that the run has now. */
function toRunRecord(
  status: SqlValue | undefined,
  finishedAt: SqlValue | undefined,
  record: SqlValue | undefined,
): RunRecord {
  return {
    ...parseColumn<RunRecord>(record),
    status: String(status) as RunStatus,
    finishedAt: finishedAt === null ? null : String(finishedAt),
  }
}
