import { UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { ForeignRow } from "../../rows/foreign-variant.ts"
import type { LabelledItem } from "./people.ts"
import { type PeopleColumns, type PeopleRows, peopleRows } from "./people-rows.ts"
import type { BothOrders } from "./position.ts"
import { badField, fieldOf, idOf, scoreOf, wordScore } from "./row-fields.ts"
import type { ValidationItem } from "./validation.ts"

/** Names of the columns that are read. */
export interface ValidationColumns extends PeopleColumns {
  readonly id: string
  /** Present in files of comparisons only: `ab` or `ba`. */
  readonly order: string
  /** Documents or systems that the rows belong to. */
  readonly group?: string | undefined
  /** `chance` or `doubt` for each label. */
  readonly drawn?: string | undefined
  /** Probability with which each row was to be labelled. */
  readonly probability?: string | undefined
}

/** What two orders of one comparison that contradict each other come to. */
export type OrderRule = "strict" | "majority" | "tie"

/** What becomes of a row without a usable verdict. */
export type InvalidRule = "wrong" | "drop"

/** How verdicts are counted. */
export interface VerdictRules {
  /**
   * - `tie` (default): two orders that differ are a tie;
   * - `majority`: the answer with more credit over both orders wins, so that a tie in one order leaves it to the other;
   * - `strict`: two orders that differ are no verdict, and disagree with every label.
   */
  readonly orders?: OrderRule
  /**
   * - `drop` (default): a row without a verdict, or a comparison with an order without one, is left out;
   * - `wrong`: it disagrees with its label; under `majority` the order that has a verdict decides.
   */
  readonly invalid?: InvalidRule
}

/** What a file of verdicts holds. */
export interface ValidationRows {
  readonly items: readonly ValidationItem[]
  /** Comparisons by id, where the file has an order column; else null. */
  readonly comparisons: ReadonlyMap<string, BothOrders> | null
  /** What each person said; empty where rows name nobody. */
  readonly labelled: readonly LabelledItem[]
}

/**
 * Rows `{id, judge, human}`; judge or human may be null. A column name with dots reads nested fields, and several id columns
 * with commas between make one id. With an `order` column (`ab`, `ba`) they are comparisons of two
 * answers a and b: `judge` is `first`, `second`, `tie` or null, `human` is `a`, `b`, `tie` or null, and the two orders of an
 * id become one verdict by `rules`.
 * @throws {UsageError} naming file, line and field
 */
export async function readValidationRows(
  rows: AsyncIterable<ForeignRow>,
  columns: ValidationColumns,
  rules: VerdictRules = {},
): Promise<ValidationRows> {
  const items: ValidationItem[] = []
  const comparisons = new Map<string, Comparison>()
  let compares: boolean | null = null
  let people: PeopleRows | null | undefined
  const seen = new Set<string>()
  for await (const { row, where } of rows) {
    compares ??= fieldOf(row, columns.order) !== undefined
    people ??= compares ? null : peopleRows(row, columns, rules)
    const id = idOf(row, columns.id, where)
    const facts = factsOf(row, columns, where)
    if (people) {
      people.add(id, row, where, facts)
      continue
    }
    const key = compares ? `${id}\u0000${String(fieldOf(row, columns.order))}` : id
    if (seen.has(key))
      throw new UsageError(`the id ${id} is in the file twice`, {
        code: "bad_row",
        where,
        hint: "several people: name the column that says who labelled with --labeller",
      })
    seen.add(key)
    if (compares) addComparison(comparisons, id, facts, row, columns, where)
    else {
      const judge = scoreOf(row, columns.judge, where)
      const human = scoreOf(row, columns.human, where)
      items.push({ id, judge, human, missed: judge === null && rules.invalid === "wrong", ...facts })
    }
  }
  if (people) return { ...people.read(), comparisons: null }
  if (!compares) return { items, comparisons: null, labelled: [] }
  const merged = [...comparisons].map(([id, { first, second, human, ...facts }]) => ({
    id,
    human,
    ...joinedOrders(first, second, rules),
    ...facts,
  }))
  return { items: merged, comparisons, labelled: [] }
}

type RowFacts = Pick<ValidationItem, "group" | "drawnByChance" | "probability">

interface Comparison extends BothOrders, RowFacts {
  readonly human: number | null
}

function factsOf(row: JsonObject, columns: ValidationColumns, where: string): RowFacts {
  const drawn = columns.drawn === undefined ? null : (fieldOf(row, columns.drawn) ?? null)
  if (columns.drawn !== undefined && drawn !== null && drawn !== "" && drawn !== "chance" && drawn !== "doubt")
    throw badField(where, columns.drawn, '"chance", "doubt" or null', drawn)
  const probability = columns.probability === undefined ? undefined : fieldOf(row, columns.probability)
  if (columns.probability !== undefined && !(typeof probability === "number" && probability > 0 && probability <= 1))
    throw badField(where, columns.probability, "a probability above 0 and up to 1", probability)
  return {
    ...(columns.group === undefined ? {} : { group: idOf(row, columns.group, where) }),
    ...(columns.drawn === undefined ? {} : { drawnByChance: drawn === "chance" }),
    ...(typeof probability === "number" ? { probability } : {}),
  }
}

/**
 * One verdict from the credit that an answer got in two orders; `missed` when there is none and that counts as a
 * disagreement with people.
 */
function joinedOrders(
  first: number | null,
  second: number | null,
  { orders = "tie", invalid = "drop" }: VerdictRules,
): { readonly judge: number | null; readonly missed: boolean } {
  if (first === null || second === null) {
    const judge = invalid === "wrong" && orders === "majority" ? (first ?? second) : null
    return { judge, missed: judge === null && invalid === "wrong" }
  }
  if (first === second) return { judge: first, missed: false }
  if (orders === "strict") return { judge: null, missed: true }
  return { judge: orders === "majority" ? (Math.sign(first + second - 1) + 1) / 2 : 0.5, missed: false }
}

function addComparison(
  into: Map<string, Comparison>,
  id: string,
  facts: RowFacts,
  row: JsonObject,
  columns: ValidationColumns,
  where: string,
): void {
  const order = fieldOf(row, columns.order)
  if (order !== "ab" && order !== "ba") throw badField(where, columns.order, '"ab" or "ba"', order)
  const existing = into.get(id) ?? { first: null, second: null, human: null }
  const shown = wordScore(
    fieldOf(row, columns.judge),
    new Map([
      ["first", 1],
      ["second", 0],
      ["tie", 0.5],
    ]),
  )
  if (shown === undefined)
    throw badField(where, columns.judge, '"first", "second", "tie" or null', fieldOf(row, columns.judge))
  const human = wordScore(
    fieldOf(row, columns.human),
    new Map([
      ["a", 1],
      ["b", 0],
      ["tie", 0.5],
    ]),
  )
  if (human === undefined) throw badField(where, columns.human, '"a", "b", "tie" or null', fieldOf(row, columns.human))
  // Credit of answer a: it stood first in the order ab.
  const credit = order === "ab" ? { first: shown } : { second: shown === null ? null : 1 - shown }
  into.set(id, { ...existing, ...credit, ...facts, human: human ?? existing.human })
}
