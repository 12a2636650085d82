import type { Figure } from "../../../src/core/report/figure.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { countedRate, extremeRate } from "../../../src/words/figure.ts"
import { count } from "../../../src/words/number.ts"
import { quantity } from "../../../src/words/quantity.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { FigureCell, Foreign, TableFrame } from "../parts.tsx"
import { Explained } from "../words.tsx"

/** A plain table of texts, numbers and figures; names of variants get their mark. */
export function FigureTable(props: {
  title: string
  table: TableData
  /** The kind of the section, where words of its headings mean something else than elsewhere. */
  place?: string
  /** What a heading is that is a name of the run's own: a group, a judge. */
  own?: string
}) {
  const { title, table } = props
  return (
    <TableFrame label={title}>
      <table>
        <thead>
          <tr>
            {table.columns.map((column, index) => (
              <th key={index} scope="col" class={isOfTexts(table, index) ? "texts" : ""}>
                <Explained word={column.title} place={props.place} otherwise={props.own}>
                  <Foreign text={column.title} limit={80} />
                </Explained>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <Cell
                  key={place}
                  cell={cell}
                  unit={table.columns[place]?.unit ?? null}
                  first={place === 0}
                  ofTexts={isOfTexts(table, place)}
                  counted={isCounted(table, place)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

/** Whether a column holds texts, which are read from the left, as far as it holds anything. */
function isOfTexts({ rows }: TableData, column: number): boolean {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null)
  return cells.length > 0 && cells.every((cell) => typeof cell === "string") && !cells.every(isNumberText)
}

/** Whether a cell is a number with its sign and unit that was written before: it stands as numbers do. */
function isNumberText(cell: unknown): boolean {
  return typeof cell === "string" && /^[+\u2212<]?\s?[\d.,]+(?:\s(?:points?|%|ms|s))?$/.test(cell)
}

/** Whether a column's shares are counts, of which one is none or all and is written as such: then all of them are. */
function isCounted({ columns, rows }: TableData, column: number): boolean {
  if (columns[column]?.unit !== "share") return false
  const known = rows.flatMap((row) => {
    const cell = row[column]
    return typeof cell === "object" && cell?.status === "known" ? [cell] : []
  })
  return known.some((one) => extremeRate(one) !== null) && known.every((one) => countedRate(one) !== null)
}

function Cell(props: {
  cell: string | number | Figure | null
  unit: string | null
  first: boolean
  ofTexts: boolean
  counted: boolean
}) {
  const { cell, unit, first, ofTexts, counted } = props
  const { positions } = usePage()
  if (first && typeof cell === "string")
    return (
      <th scope="row">
        {positions.has(cell) && <InlineMark variant={cell} />} <Foreign text={cell} limit={120} />
      </th>
    )
  if (cell === null) return <td class="unknown">does not apply</td>
  if (typeof cell === "string")
    return (
      <td class={ofTexts || !isNumberText(cell) ? "texts" : undefined}>
        <Foreign text={cell} limit={300} />
      </td>
    )
  if (typeof cell === "number")
    return <td>{Number.isInteger(cell) && unit === null ? count(cell) : quantity(cell, unit)}</td>
  const isFigure = cell.status === "known" || cell.status === "unknown"
  return <td>{isFigure ? <FigureCell figure={cell} unit={unit} counted={counted} /> : null}</td>
}
