import type { StoredRow } from "../core/run/run-store.ts"

/** What was measured of some answers, before it is kept. */
export interface ScoredBatch {
  readonly rows: readonly StoredRow[]
  readonly answers: number
}

/** Batches that are being measured, in their order. */
export function createMeasuring() {
  const underWay: { readonly rows: Promise<readonly StoredRow[] | null>; readonly answers: number }[] = []
  return {
    add(rows: Promise<readonly StoredRow[] | null>, answers: number): void {
      // A failure is seen where the batch is awaited.
      rows.catch(() => {})
      underWay.push({ rows, answers })
    },
    /** Waits until no more than these are left, and gives those that have ended. */
    async *downTo(left: number): AsyncGenerator<ScoredBatch> {
      while (underWay.length > left) {
        const { rows: measured, answers } = underWay.shift()!
        const rows = await measured
        if (rows) yield { rows, answers }
      }
    },
  }
}
