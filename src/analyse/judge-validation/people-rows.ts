import { UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { mean } from "../../stats/mean.ts"
import type { LabelledItem, PersonLabel } from "./people.ts"
import { badField, fieldOf, scoreOf } from "./row-fields.ts"
import type { ValidationItem } from "./validation.ts"

/** Columns of a file that several people labelled. */
export interface PeopleColumns {
  readonly judge: string
  /** One column, or several with commas between: a person each, named like the column. */
  readonly human: string
  /** Who labelled a row: then an id has a row for each person. Absent: `labeller`, where the rows have it. */
  readonly labeller?: string | undefined
  /** Instructions that a row was labelled by. */
  readonly policy?: string | undefined
  /** When a row was labelled. Absent: `at`, where the rows have it. */
  readonly at?: string | undefined
  /** The person whose labels are last words on those of the others. */
  readonly adjudicator?: string | undefined
}

type Facts = Pick<ValidationItem, "group" | "drawnByChance" | "probability">

/** Collects the rows of such a file. */
export interface PeopleRows {
  /** @throws {UsageError} naming file, line and field */
  add(id: string, row: JsonObject, where: string, facts: Facts): void
  read(): { readonly items: readonly ValidationItem[]; readonly labelled: readonly LabelledItem[] }
}

interface Collected {
  judge: number | null
  readonly labels: PersonLabel[]
  readonly lastWords: PersonLabel[]
  readonly facts: Facts
}

/**
 * Reads a file of several people's labels; null when its first row is not of that kind. Either an id has a row for each person, who is
 * named in a column, or each person has a column. What the judge said may stand in each row of an id, or in one of them.
 */
export function peopleRows(
  first: JsonObject,
  columns: PeopleColumns,
  rules: { readonly invalid?: string },
): PeopleRows | null {
  const wide = Object.hasOwn(first, columns.human) ? [] : columns.human.split(",").map((name) => name.trim())
  const isWide = wide.length > 1
  const who = columns.labeller ?? "labeller"
  const isLong = !isWide && (columns.labeller !== undefined || fieldOf(first, who) !== undefined)
  if (!isWide && !isLong) {
    const needless =
      columns.policy === undefined ? (columns.adjudicator === undefined ? null : "--adjudicator") : "--policy"
    if (needless !== null)
      throw new UsageError("nothing says who labelled", {
        where: needless,
        hint: "name the people's column with --labeller, or a column for each with --human ann,ben",
      })
    return null
  }
  const collected = new Map<string, Collected>()
  return {
    add(id, row, where, facts) {
      const existing = collected.get(id)
      if (existing && isWide) throw new UsageError(`the id ${id} is in the file twice`, { code: "bad_row", where })
      const entry = existing ?? { judge: null, labels: [], lastWords: [], facts }
      collected.set(id, entry)
      const judge = isLong && fieldOf(row, columns.judge) === undefined ? null : scoreOf(row, columns.judge, where)
      if (judge !== null && entry.judge !== null && judge !== entry.judge)
        throw new UsageError(`the judge says ${entry.judge} and ${judge} of the id ${id}`, {
          code: "bad_row",
          where: `${where}, field ${columns.judge}`,
          hint: "one verdict an answer: validate each judge by itself with --judge",
        })
      entry.judge ??= judge
      const people = isWide
        ? wide.map((name) => [name, name] as const)
        : [[textOf(row, who, where), columns.human] as const]
      for (const [labeller, field] of people) {
        const score = scoreOf(row, field, where)
        if (score === null) continue
        const policy = columns.policy === undefined ? null : textOf(row, columns.policy, where, true)
        const into = labeller === columns.adjudicator ? entry.lastWords : entry.labels
        if (into.some((label) => label.labeller === labeller && label.policy === policy))
          throw new UsageError(`${labeller} labelled the id ${id} twice`, { code: "bad_row", where })
        into.push({ labeller: labeller ?? "", score, policy, at: textOf(row, columns.at ?? "at", where, true) })
      }
    },
    read() {
      const labelled = [...collected].map(([id, { judge, labels, lastWords }]) => ({
        id,
        judge,
        labels,
        lastWord: lastWords.at(-1)?.score ?? null,
      }))
      return {
        labelled,
        items: labelled.map(({ id, judge, labels, lastWord }) => ({
          id,
          judge,
          human: lastWord ?? (labels.length === 0 ? null : mean(labels.map(({ score }) => score))),
          missed: judge === null && rules.invalid === "wrong",
          ...collected.get(id)?.facts,
        })),
      }
    },
  }
}

function textOf(row: JsonObject, field: string, where: string, mayLack: true): string | null
function textOf(row: JsonObject, field: string, where: string, mayLack?: false): string
function textOf(row: JsonObject, field: string, where: string, mayLack = false): string | null {
  const value = fieldOf(row, field)
  if (mayLack && (value === undefined || value === null || value === "")) return null
  if ((typeof value !== "string" && typeof value !== "number") || value === "")
    throw badField(where, field, "a name", value)
  return String(value)
}
