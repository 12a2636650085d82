import type { EncodedRows, StoredRow } from "../../core/run/run-store.ts"
import { type BlockSpan, decodeBlock, isPlainId, rowsInBlock } from "../block-codec.ts"
import { type EncodedBlock, encodeRows, minRows } from "../encode-rows.ts"
import { ofMetric } from "./conditions.ts"
import type { Connection } from "./connection.ts"
import { insertRow } from "./upsert.ts"

/** Names of a variant's metrics that have blocks, stepped through by their key. Parameters: run, variant. */
const blockMetrics = `
  WITH RECURSIVE names (name) AS (
    SELECT min(metric) FROM row_blocks WHERE run_id = ?1 AND variant = ?2
    UNION ALL
    SELECT (SELECT min(metric) FROM row_blocks WHERE run_id = ?1 AND variant = ?2 AND metric > name) FROM names WHERE name IS NOT NULL
  )
  SELECT name FROM names WHERE name IS NOT NULL`

/** Rows of one metric that were measured together, many in one text: a block is written and read in the time of a few rows. */
export interface RowBlocks {
  /** Keeps the rows in blocks where that is possible. @returns those that must be kept one by one */
  save(runId: string, rows: EncodedRows): readonly StoredRow[]
  metrics(runId: string, variant: string): string[]
  /** By sample id and repeat. */
  rows(runId: string, variant: string, metric: string): Generator<StoredRow>
  /** Of these samples, in no order. */
  rowsOf(runId: string, variant: string, sampleIds: readonly string[]): StoredRow[]
  /** Takes apart the blocks that hold rows of the sample; returns what was in them, to be kept one by one. */
  unpack(runId: string, variant: string, sampleId: string): StoredRow[]
  clear(runId: string, of?: { readonly variant: string; readonly metric: string }): void
  /** The same of all metrics, in a transaction in which nobody else writes. */
  clearAlone(runId: string): void
}

/**
 * The blocks of a store. Blocks of a metric have no sample in common and lie one after the other. What is kept one by one beside them
 * is newer, and comes first.
 */
export function createRowBlocks({ sql, pages, list }: Connection): RowBlocks {
  const metrics = (runId: string, variant: string) =>
    sql(blockMetrics)
      .all([runId, variant])
      .map(([name]) => String(name))
  /** Samples of the last block that begins at this sample or before it. */
  const blockBefore = (runId: string, { variant, metric }: Pick<BlockSpan, "variant" | "metric">, sampleId: string) => {
    const query = `SELECT first_sample, last_sample FROM row_blocks WHERE ${ofMetric} AND first_sample <= ? ORDER BY first_sample DESC LIMIT 1`
    const [row] = sql(query).all([runId, variant, metric, sampleId])
    return row ? { first: String(row[0]), last: String(row[1]) } : null
  }
  const hasSingle = (runId: string, { variant, metric, first, last }: BlockSpan): boolean => {
    const query = `SELECT 1 FROM rows WHERE ${ofMetric} AND sample_id >= ? AND sample_id <= ? LIMIT 1`
    return sql(query).all([runId, variant, metric, first, last]).length > 0
  }
  /** Several processes that measure one run at once could write blocks across each other. */
  const isShared = (runId: string) => sql("SELECT 1 FROM workers WHERE run_id = ? LIMIT 1").all([runId]).length > 0
  const insert = (runId: string, { variant, metric, first, last }: BlockSpan, data: string): void => {
    const columns = ["run_id", "variant", "metric", "first_sample", "last_sample", "data"]
    sql(insertRow("row_blocks", columns)).run([runId, variant, metric, first, last, data])
  }
  /** @returns the rows that must be kept one by one */
  const saveBlock = (runId: string, block: EncodedBlock): readonly StoredRow[] => {
    const before = blockBefore(runId, block, block.last)
    if (before && before.last >= block.first) {
      const rows = rowsOfBlock(block)
      // A sample whose repeats came in two parts: its rest is kept one by one.
      const rest = rows.filter(({ sampleId }) => sampleId > before.last)
      if (before.first > block.first || rest.length < minRows) return rows
      const head = rows.filter(({ sampleId }) => sampleId <= before.last)
      return [...head, ...save(runId, encodeRows(rest))]
    }
    if (hasSingle(runId, block)) return rowsOfBlock(block)
    insert(runId, block, block.data)
    return []
  }
  const save = (runId: string, { blocks, rows }: EncodedRows): readonly StoredRow[] =>
    blocks.length === 0 ? rows : [...blocks.flatMap((block) => saveBlock(runId, block)), ...rows]
  return {
    save(runId, encoded) {
      if (encoded.blocks.length === 0 || !isShared(runId)) return save(runId, encoded)
      return [...encoded.blocks.flatMap(rowsOfBlock), ...encoded.rows]
    },
    metrics,
    *rows(runId, variant, metric) {
      const query = `SELECT first_sample, data FROM row_blocks WHERE ${ofMetric}`
      for (const [, data] of pages(query, [runId, variant, metric], ["first_sample"]))
        yield* decodeBlock(String(data), variant, metric)
    },
    rowsOf(runId, variant, sampleIds) {
      const plain = sampleIds.filter(isPlainId)
      const holding = `SELECT (SELECT max(b.first_sample) FROM row_blocks AS b WHERE b.run_id = ?1 AND b.variant = ?2 AND b.metric = ?3 AND b.first_sample <= value) FROM json_each(?4)`
      const query = `SELECT data FROM row_blocks WHERE run_id = ?1 AND variant = ?2 AND metric = ?3 AND first_sample IN (${holding})`
      const ids = new Set(plain)
      return metrics(runId, variant).flatMap((metric) =>
        sql(query)
          .all([runId, variant, metric, list(plain)])
          .flatMap(([data]) => rowsInBlock(String(data), variant, metric, ids)),
      )
    },
    unpack(runId, variant, sampleId) {
      if (!isPlainId(sampleId)) return []
      return metrics(runId, variant).flatMap((metric) => {
        const block = blockBefore(runId, { variant, metric }, sampleId)
        if (!block || block.last < sampleId) return []
        const key = [runId, variant, metric, block.first]
        const [row] = sql(`SELECT data FROM row_blocks WHERE ${ofMetric} AND first_sample = ?`).all(key)
        sql(`DELETE FROM row_blocks WHERE ${ofMetric} AND first_sample = ?`).run(key)
        return decodeBlock(String(row?.[0]), variant, metric)
      })
    },
    clear(runId, of) {
      if (!of) sql("DELETE FROM row_blocks WHERE run_id = ?").run([runId])
      else sql(`DELETE FROM row_blocks WHERE ${ofMetric}`).run([runId, of.variant, of.metric])
    },
    clearAlone(runId) {
      const hasOthers = ["<", ">"].some(
        (side) => sql(`SELECT 1 FROM row_blocks WHERE run_id ${side} ? LIMIT 1`).all([runId]).length > 0,
      )
      // SQLite gives the pages of a whole table back without a look at its rows: a million answers' take seconds one by one.
      if (hasOthers) sql("DELETE FROM row_blocks WHERE run_id = ?").run([runId])
      else sql("DELETE FROM row_blocks").run([])
    },
  }
}

function rowsOfBlock({ data, variant, metric }: EncodedBlock): readonly StoredRow[] {
  return decodeBlock(data, variant, metric)
}
