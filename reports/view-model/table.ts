import type { Figure } from "../../src/core/report/figure.ts"
import type { TableData } from "../../src/core/report/report-sections.ts"
import { countedRate, extremeRate, figureCell, valueCell } from "../../src/words/figure.ts"
import { count } from "../../src/words/number.ts"
import { quantity, type Unit } from "../../src/words/quantity.ts"

/** A cell as every output shows it. Its text may be foreign: each output makes it harmless in its own way. */
export interface Cell {
  readonly text: string
  /** The same where there is no room for intervals; absent: the text itself. */
  readonly short?: string
  /** What the text is of, for outputs that draw a figure themselves or tell more of it. */
  readonly figure?: Figure
  /** Unit of the figure; absent where its text was written before. */
  readonly unit?: Unit | null
  /** A share as a count of its answers, as others of its column are. */
  readonly isCounted?: boolean
  /** The one that is looked for. */
  readonly isStrong?: boolean
  /** `term`: a name that the glossary may explain; `number`: not foreign; `none`: the column does not apply. Absent: a text or a figure. */
  readonly kind?: "term" | "number" | "none"
}

/** A column by its title, which may be foreign. */
export interface Column {
  readonly title: string
  /** Texts are read from the left. */
  readonly isText?: boolean
  /** Its title is a variant. */
  readonly isVariant?: boolean
}

/** A table as every output shows it: terminal, page, Markdown. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** How many leading cells say together which row it is. Default 1. */
  readonly keys?: number
}

/** The cell of a figure. */
export function cellOf(figure: Figure, unit: Unit | null): Cell {
  return { text: figureCell(figure, unit), short: valueCell(figure, unit), figure, unit }
}

/** The table of a section's data: numbers and figures are written, and what they stand under says whether they are texts. */
export function tableOf(data: TableData): Table {
  const counted = data.columns.map((_, column) => isCounted(data, column))
  return {
    columns: data.columns.map(({ title }, column) => ({ title, isText: isOfTexts(data, column) })),
    rows: data.rows.map((row) =>
      row.map((value, column) => ({
        ...cellOfValue(value, data.columns[column]?.unit ?? null),
        isCounted: counted[column] ?? false,
      })),
    ),
  }
}

function cellOfValue(value: TableData["rows"][number][number], unit: string | null): Cell {
  if (value === null) return { text: "does not apply", kind: "none" }
  if (typeof value === "string") return { text: value }
  if (typeof value === "object") return cellOf(value, unit)
  return { text: Number.isInteger(value) && unit === null ? count(value) : quantity(value, unit), kind: "number" }
}

/** Whether a column holds texts, which are read from the left, as far as it holds anything. */
function isOfTexts({ rows }: TableData, column: number): boolean {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null)
  return cells.length > 0 && cells.every((cell) => typeof cell === "string") && !cells.every(isNumberText)
}

/** Whether a cell is a number with its sign and unit that was written before: it stands as numbers do. */
export function isNumberText(cell: unknown): boolean {
  return typeof cell === "string" && /^[+\u2212<]?\s?[\d.,]+(?:\s(?:points?|%|ms|s))?$/.test(cell)
}

/** Whether a column's shares are counts, of which one is none or all and is written as such: then all of them are. */
function isCounted({ columns, rows }: TableData, column: number): boolean {
  if (columns[column]?.unit !== "share") return false
  const values = rows.flatMap((row) => {
    const cell = row[column]
    return typeof cell === "object" && cell?.status === "known" ? [cell] : []
  })
  return (
    values.some((knownFigure) => extremeRate(knownFigure) !== null) &&
    values.every((knownFigure) => countedRate(knownFigure) !== null)
  )
}
