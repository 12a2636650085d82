import type { BatchRecord } from "../../core/batch/batch-record.ts"
import type { StoredBatches } from "../../core/run/run-store.ts"
import { type Connection, parseColumn, redactedColumn } from "./connection.ts"
import { upsert } from "./upsert.ts"

/** Batches of runs, a row each. */
export function createStoredBatches({ sql, pages }: Connection): StoredBatches {
  return {
    saveBatch(runId, batch) {
      sql(upsert("batches", ["run_id", "tag"], ["data"])).run([runId, batch.tag, redactedColumn(batch)])
    },
    batches(runId) {
      const rows = pages("SELECT number, data FROM batches WHERE run_id = ?", [runId])
      return Array.from(rows, ([, data]) => parseColumn<BatchRecord>(data))
    },
  }
}
