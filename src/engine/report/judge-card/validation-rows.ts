import { UsageError } from "../../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../../core/json.ts"
import type { ForeignRow } from "../../compare/source/compare-files.ts"
import type { BothOrders } from "./position.ts"
import type { ValidationItem } from "./validation.ts"

/** Names of the columns that are read. */
export interface ValidationColumns {
  readonly id: string
  readonly judge: string
  readonly human: string
  /** Present in files of comparisons only: `ab` or `ba`. */
  readonly order: string
}

/** What a file of verdicts holds. */
export interface ValidationRows {
  readonly items: readonly ValidationItem[]
  /** Comparisons by id, where the file has an order column; else null. */
  readonly comparisons: ReadonlyMap<string, BothOrders> | null
}

/** Words that mean a score. */
const words = new Map([
  ["yes", 1],
  ["true", 1],
  ["pass", 1],
  ["correct", 1],
  ["partly", 0.5],
  ["tie", 0.5],
  ["no", 0],
  ["false", 0],
  ["fail", 0],
  ["incorrect", 0],
])

/**
 * Rows `{id, judge, human}`; judge or human may be null. With an `order` column (`ab`, `ba`) they are comparisons of two
 * answers a and b: `judge` is `first`, `second`, `tie` or null, `human` is `a`, `b`, `tie` or null, and the two orders of an
 * id become one verdict, a tie when they contradict each other.
 * @throws {UsageError} naming file, line and field
 */
export async function readValidationRows(
  rows: AsyncIterable<ForeignRow>,
  columns: ValidationColumns,
): Promise<ValidationRows> {
  const items: ValidationItem[] = []
  const comparisons = new Map<string, { first: number | null; second: number | null; human: number | null }>()
  let compares: boolean | null = null
  const seen = new Set<string>()
  for await (const { row, where } of rows) {
    compares ??= Object.hasOwn(row, columns.order)
    const id = idOf(row, columns.id, where)
    const key = compares ? `${id}\u0000${String(row[columns.order])}` : id
    if (seen.has(key)) throw new UsageError(`the id ${id} is in the file twice`, { code: "bad_row", where })
    seen.add(key)
    if (compares) addComparison(comparisons, id, row, columns, where)
    else items.push({ id, judge: scoreOf(row, columns.judge, where), human: scoreOf(row, columns.human, where) })
  }
  if (!compares) return { items, comparisons: null }
  const merged = [...comparisons].map(([id, { first, second, human }]) => ({ id, judge: joined(first, second), human }))
  return { items: merged, comparisons }
}

function joined(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return null
  return first === second ? first : 0.5
}

function addComparison(
  into: Map<string, { first: number | null; second: number | null; human: number | null }>,
  id: string,
  row: JsonObject,
  columns: ValidationColumns,
  where: string,
): void {
  const order = row[columns.order]
  if (order !== "ab" && order !== "ba") throw badField(where, columns.order, '"ab" or "ba"', order)
  const known = into.get(id) ?? { first: null, second: null, human: null }
  const shown = wordScore(
    row[columns.judge],
    new Map([
      ["first", 1],
      ["second", 0],
      ["tie", 0.5],
    ]),
  )
  if (shown === undefined) throw badField(where, columns.judge, '"first", "second", "tie" or null', row[columns.judge])
  const human = wordScore(
    row[columns.human],
    new Map([
      ["a", 1],
      ["b", 0],
      ["tie", 0.5],
    ]),
  )
  if (human === undefined) throw badField(where, columns.human, '"a", "b", "tie" or null', row[columns.human])
  // Credit of answer a: it stood first in the order ab.
  if (order === "ab") known.first = shown
  else known.second = shown === null ? null : 1 - shown
  into.set(id, { ...known, human: human ?? known.human })
}

/** A score, null for "none" (also the empty text of CSV), undefined for anything else. */
function wordScore(value: JsonValue | undefined, known: ReadonlyMap<string, number>): number | null | undefined {
  if (value === undefined || value === null || value === "" || value === "invalid") return null
  return typeof value === "string" ? known.get(value.trim().toLowerCase()) : undefined
}

function scoreOf(row: JsonObject, field: string, where: string): number | null {
  if (!Object.hasOwn(row, field))
    throw new UsageError(`the row has no "${field}"`, {
      code: "bad_row",
      where,
      hint: 'write rows {"id", "judge", "human"}, with null where there is none, or name the columns with --judge and --human',
    })
  const value = row[field]
  if (typeof value === "number" && Number.isFinite(value)) return value
  if (typeof value === "boolean") return Number(value)
  const score = wordScore(value, words)
  if (score === undefined) throw badField(where, field, "a number, true, false, yes, partly, no or null", value)
  return score
}

function idOf(row: JsonObject, field: string, where: string): string {
  const id = row[field]
  if (typeof id !== "string" && typeof id !== "number") throw badField(where, field, "a text or a number", id)
  return String(id)
}

function badField(where: string, field: string, expected: string, value: JsonValue | undefined): UsageError {
  const got = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60)
  return new UsageError(`expected ${expected}, got ${got}`, { code: "bad_row", where: `${where}, field ${field}` })
}
