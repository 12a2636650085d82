import type { ForeignRow } from "../../rows/foreign-variant.ts"
import type { ScoredForeignAnswer } from "./score-file.ts"
import type { RowBatch, Scorer } from "./scorer.ts"

const batchSize = 256

/** How a stream of rows is scored. */
export interface ScoreStreamOptions {
  readonly rows: AsyncIterable<ForeignRow>
  readonly local: Scorer
  /**
   * Asked once, after the first batches: how many workers the rest is worth, given what was measured so far.
   * Null leaves the work to this thread.
   */
  pool(measured: { readonly rows: number; readonly seconds: number }): (Scorer & { readonly workers: number }) | null
  readonly signal: AbortSignal
}

/** Batches that are measured in this thread before workers are considered. */
const trialBatches = 4

/** Scored answers in the order of the rows. Holds a few batches at a time, however long the file is. */
export async function* scoreStream(options: ScoreStreamOptions): AsyncGenerator<ScoredForeignAnswer> {
  const started = performance.now()
  let pool: ReturnType<ScoreStreamOptions["pool"]> = null
  let number = 0
  const inFlight: Promise<readonly ScoredForeignAnswer[]>[] = []
  try {
    for await (const batch of batches(options.rows)) {
      options.signal.throwIfAborted()
      if (number++ === trialBatches)
        pool = options.pool({ rows: batch.first - 1, seconds: (performance.now() - started) / 1000 })
      const scored = (pool ?? options.local).score(batch)
      // A failure is seen where the batch is awaited, which may be later.
      scored.catch(() => {})
      inFlight.push(scored)
      if (inFlight.length > (pool === null ? 0 : 2 * pool.workers)) yield* await (inFlight.shift() as typeof scored)
    }
    for (const scored of inFlight) yield* await scored
  } finally {
    await pool?.close()
  }
}

async function* batches(rows: AsyncIterable<ForeignRow>): AsyncGenerator<RowBatch> {
  let batch: ForeignRow[] = []
  let first = 1
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield { rows: batch, first }
    first += batch.length
    batch = []
  }
  if (batch.length > 0) yield { rows: batch, first }
}
