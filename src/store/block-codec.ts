import { type Measured, scored } from "../core/metric/metric.ts"
import { readUnscoredCode } from "../core/metric/unscored-code.ts"
import type { StoredRow } from "../core/run/run-store.ts"

/** What a block of rows holds: rows of one variant and metric from one sample to another. */
export interface BlockSpan {
  readonly variant: string
  readonly metric: string
  readonly first: string
  readonly last: string
}

/** A row without its place: a value that is its row as well, `[value, row]`, or why there is no score. */
type PackedRow =
  | number
  | readonly [value: number | null, row: unknown]
  | { readonly code: string; readonly reason: string; readonly details?: unknown }

/** Where the rows of a block are: sample ids, and repeats where one of them is not the first. */
type PackedPlaces = readonly [ids: readonly string[], repeats?: readonly number[]]

/**
 * Rows of one variant and metric as one text: a line of places, then a list with a row a line, so that one of them is found without
 * reading all.
 *
 * @param rows by sample id and repeat
 * @returns null where rows do not keep in this form what they are
 */
export function encodeBlock(rows: readonly StoredRow[]): (BlockSpan & { readonly data: string }) | null {
  const packed: string[] = []
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1]
    if (before && before.sampleId === row.sampleId && before.repeat === row.repeat) return null
    if (!isPlainId(row.sampleId) || !isKept(row)) return null
    packed.push(JSON.stringify(packRow(row)))
  }
  const [{ variant, metric, sampleId: first }, { sampleId: last }] = [rows[0] as StoredRow, rows.at(-1) as StoredRow]
  const ids = rows.map(({ sampleId }) => sampleId)
  const repeats = rows.map(({ repeat }) => repeat)
  const places: PackedPlaces = repeats.every((repeat) => repeat === 0) ? [ids] : [ids, repeats]
  return { variant, metric, first, last, data: `${JSON.stringify(places)}\n[${packed.join(",\n")}]` }
}

/** All rows of a block, by sample id and repeat. */
export function decodeBlock(data: string, variant: string, metric: string): StoredRow[] {
  const end = data.indexOf("\n")
  const [ids, repeats] = JSON.parse(data.slice(0, end)) as PackedPlaces
  const rows = JSON.parse(data.slice(end + 1)) as readonly PackedRow[]
  return rows.map((row, i) =>
    unpackRow(row, { variant, metric, sampleId: ids[i] as string, repeat: repeats?.[i] ?? 0 }),
  )
}

/** The rows of some samples of a block. */
export function rowsInBlock(
  data: string,
  variant: string,
  metric: string,
  samples: ReadonlySet<string>,
): readonly StoredRow[] {
  const end = data.indexOf("\n")
  const [ids, repeats] = JSON.parse(data.slice(0, end)) as PackedPlaces
  const rows: StoredRow[] = []
  let start = end + 2
  for (const [i, sampleId] of ids.entries()) {
    const next = i === ids.length - 1 ? data.length : data.indexOf(",\n", start)
    const isLast = next === data.length
    if (samples.has(sampleId)) {
      const row = JSON.parse(data.slice(start, isLast ? next - 1 : next)) as PackedRow
      rows.push(unpackRow(row, { variant, metric, sampleId, repeat: repeats?.[i] ?? 0 }))
    }
    start = next + 2
  }
  return rows
}

/**
 * Whether an id has the same place in the order of its units, in that of the store, and as text of JSON: letters of the basic plane,
 * and no controls.
 */
export function isPlainId(id: string): boolean {
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i)
    if (unit < 0x20 || unit >= 0xd800) return false
  }
  return true
}

/** Whether JSON gives the value back, and nothing is left out. */
function isKept({ measured, value }: StoredRow): boolean {
  if (value === null) return true
  return measured.status === "scored" && Number.isFinite(value) && !Object.is(value, -0)
}

function packRow({ measured, value }: StoredRow): PackedRow {
  if (measured.status === "unscored")
    return {
      code: measured.code,
      reason: measured.reason,
      ...(measured.details !== undefined && { details: measured.details }),
    }
  return typeof measured.row === "number" && measured.row === value ? value : [value, measured.row]
}

function unpackRow(
  packed: PackedRow,
  { variant, metric, sampleId, repeat }: Pick<StoredRow, "variant" | "metric" | "sampleId" | "repeat">,
): StoredRow {
  if (typeof packed === "number")
    return { variant, metric, sampleId, repeat, value: packed, measured: scored<unknown>(packed) }
  if (isList(packed)) return { variant, metric, sampleId, repeat, value: packed[0], measured: scored(packed[1]) }
  const { code, reason, details } = packed
  const measured: Measured<unknown> = {
    status: "unscored",
    code: readUnscoredCode(code),
    reason,
    ...(details !== undefined && { details }),
  }
  return { variant, metric, sampleId, repeat, value: null, measured }
}

function isList(packed: PackedRow): packed is readonly [number | null, unknown] {
  return Array.isArray(packed)
}
