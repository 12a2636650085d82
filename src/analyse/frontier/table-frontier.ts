import { UsageError } from "../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import type { FrontierAxis } from "../../core/report/frontier.ts"
import { mean } from "../../stats/mean.ts"
import { byText } from "../../stats/order.ts"
import { quantile } from "../../stats/quantile.ts"
import { parseFigureName } from "../decide/figure-name.ts"
import type { FrontierVariant } from "./frontier-variant.ts"
import { ratioParts } from "./ratio-parts.ts"

/** How a table's rows become variants. */
export interface TableOptions {
  readonly axes: readonly FrontierAxis[]
  /** Column that names the variant. */
  readonly id: string
  /** Column that names the sample: rows of one variant are then its samples, drawn jointly. */
  readonly sample?: string
  /** Further columns that constraints read. */
  readonly figures?: readonly string[]
}

/**
 * Variants from any table: one row a variant (rows of the same name are numbered), or one row a variant and sample. An axis
 * is a column's name, with a statistic (`ttftMs.p95`) where there are samples, or the ratio of two columns' sums (`costUsd/correct`, dollars
 * per solved task). Values that are no number are unknown.
 */
export function tableVariants(rows: readonly JsonObject[], options: TableOptions): FrontierVariant[] {
  const { axes, id, sample, figures = [] } = options
  const names = [...axes.map(({ name }) => name), ...figures]
  for (const { name } of axes)
    if (!(ratioColumns(rows, name) ?? [name]).every((column) => rows.some((row) => numberAt(row, column) !== null)))
      throw new UsageError(`no row has a number in "${name}"`, {
        hint: `columns: ${Object.keys(rows[0] ?? {})
          .slice(0, 20)
          .join(", ")}`,
      })
  if (sample !== undefined) return sampledVariants(rows, options, sample, names)
  const seen = new Map<string, number>()
  const valueAt = (row: JsonObject, name: string): number | null => {
    const ratio = ratioOf(rows, [row], name)
    return ratio === undefined ? numberAt(row, name) : (ratio?.ratio ?? null)
  }
  return rows.map((row) => {
    const name = nameOf(row, id)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return {
      name: count === 1 ? name : `${name} (${count})`,
      values: axes.map((axis) => valueAt(row, axis.name)),
      figures: Object.fromEntries(names.map((figure) => [figure, valueAt(row, figure)])),
    }
  })
}

function sampledVariants(
  rows: readonly JsonObject[],
  { axes, id }: TableOptions,
  sample: string,
  names: readonly string[],
): FrontierVariant[] {
  const samples = [...new Set(rows.map((row) => String(row[sample])))].sort(byText)
  const position = new Map(samples.map((name, i) => [name, i]))
  const groups = new Map<string, JsonObject[]>()
  for (const row of rows) {
    const name = nameOf(row, id)
    const members = groups.get(name)
    if (members) members.push(row)
    else groups.set(name, [row])
  }
  return [...groups].map(([name, members]): FrontierVariant => {
    const columns = names.map((figure) => {
      const column = new Float64Array(samples.length).fill(Number.NaN)
      for (const row of members)
        column[position.get(String(row[sample])) as number] = numberAt(row, figure) ?? Number.NaN
      return column
    })
    const values = columns.map((column, k): number | null => {
      const ratio = ratioOf(rows, members, names[k] as string)
      if (ratio !== undefined) {
        column.fill(Number.NaN)
        ratio?.parts.forEach((part, i) => {
          column[position.get(String(members[i]?.[sample])) as number] = part
        })
        return ratio?.ratio ?? null
      }
      const { statistic, q } = parseFigureName(names[k] as string)
      const finite = column.filter(Number.isFinite)
      if (finite.length === 0) return null
      return statistic === "mean" ? mean(finite) : quantile(finite, q)
    })
    return {
      name,
      values: values.slice(0, axes.length),
      samples: columns.slice(0, axes.length),
      figures: Object.fromEntries(names.map((figure, k) => [figure, values[k] ?? null])),
    }
  })
}

/** `costUsd/correct`: the ratio of two columns' sums; undefined where the name is a column's own, null where a value is unknown. */
function ratioOf(
  rows: readonly JsonObject[],
  members: readonly JsonObject[],
  name: string,
): ReturnType<typeof ratioParts> | undefined {
  const columns = ratioColumns(rows, name)
  if (!columns) return undefined
  const [above, below] = columns.map((column) => members.map((row) => numberAt(row, column)))
  return ratioParts(above ?? [], below ?? [])
}

function ratioColumns(rows: readonly JsonObject[], name: string): readonly [string, string] | null {
  const [above = "", below = "", ...more] = name.split("/")
  if (above === "" || below === "" || more.length > 0) return null
  return rows.some((row) => Object.hasOwn(row, name)) ? null : [above, below]
}

function nameOf(row: JsonObject, id: string): string {
  const name = row[id]
  if (typeof name === "string" || typeof name === "number") return String(name)
  throw new UsageError(`a row has no "${id}"`, {
    hint: `name the column with --id; the row has: ${Object.keys(row).slice(0, 20).join(", ")}`,
  })
}

/** A column's number; the column of `ttftMs.p95` is `ttftMs` unless there is one of the whole name. */
function numberAt(row: JsonObject, name: string): number | null {
  const value: JsonValue | undefined = Object.hasOwn(row, name) ? row[name] : row[parseFigureName(name).figure]
  if (typeof value === "boolean") return Number(value)
  return typeof value === "number" && Number.isFinite(value) ? value : null
}
