import type { EncodedRows, StoredRow } from "../core/run/run-store.ts"
import { encodeBlock } from "./block-codec.ts"

/** Fewer rows than this are kept one by one. */
export const minRows = 16
/** A block is cut at the next sample after so many rows: a single row is looked for in a text of some kilobytes. */
const defaultRows = 64

/** One of the blocks of {@link encodeRows}. */
export type EncodedBlock = EncodedRows["blocks"][number]

/** Rows as the store keeps them: those of one variant and metric in blocks, where they keep in that form what they are. */
export function encodeRows(rows: readonly StoredRow[]): EncodedRows {
  if (rows.length < minRows) return { blocks: [], rows }
  const blocks: EncodedBlock[] = []
  const singles: StoredRow[] = []
  for (const group of byMetric(rows).values())
    for (const part of parts(inOrder(group))) {
      const block = part.length < minRows ? null : encodeBlock(part)
      if (block) blocks.push(block)
      else singles.push(...part)
    }
  return { blocks, rows: singles }
}

function byMetric(rows: readonly StoredRow[]): ReadonlyMap<string, StoredRow[]> {
  const groups = new Map<string, StoredRow[]>()
  for (const row of rows) {
    const key = `${row.metric}\u0000${row.variant}`
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** Rows in their order, cut between two samples. */
function parts(rows: readonly StoredRow[]): readonly (readonly StoredRow[])[] {
  const cut: StoredRow[][] = []
  let part: StoredRow[] = []
  for (const row of rows) {
    if (part.length >= defaultRows && part.at(-1)?.sampleId !== row.sampleId) {
      cut.push(part)
      part = []
    }
    part.push(row)
  }
  const last = cut.at(-1)
  if (last && part.length < minRows) last.push(...part)
  else cut.push(part)
  return cut
}

/** By sample id and repeat, as text in the order of its units. */
function inOrder(rows: readonly StoredRow[]): readonly StoredRow[] {
  const after = (a: StoredRow, b: StoredRow) =>
    a.sampleId === b.sampleId ? a.repeat - b.repeat : a.sampleId < b.sampleId ? -1 : 1
  for (let i = 1; i < rows.length; i++)
    if (after(rows[i - 1] as StoredRow, rows[i] as StoredRow) > 0) return [...rows].sort(after)
  return rows
}
