import type { RunStore, StoredRow } from "../core/run/run-store.ts"

/** Collects rows of a run and writes many of them at a time: those that follow each other go into blocks. */
export interface RowBatch {
  add(row: StoredRow): void
  /** Writes what is left. */
  flush(): void
}

/** Rows that are written at a time. */
const batchSize = 1024

/** A {@link RowBatch} that is empty. */
export function createRowBatch(store: Pick<RunStore, "saveRows">, runId: string): RowBatch {
  let batch: StoredRow[] = []
  const flush = (): void => {
    if (batch.length === 0) return
    const rows = batch
    batch = []
    store.saveRows(runId, rows)
  }
  return {
    add(row) {
      batch.push(row)
      if (batch.length === batchSize) flush()
    },
    flush,
  }
}
