import type { TableData } from "../../../src/core/report/report-sections.ts"
import { plainLines } from "../../../src/words/text.ts"
import { type Cell, isNumberText, type Table, tableOf } from "../../view-model/table.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { FigureCell, Foreign, figureStory, TableFrame } from "../parts.tsx"
import { Explained, Heading } from "../words.tsx"

interface TableWords {
  title: string
  /** The kind of the section, where words of its headings mean something else than elsewhere. */
  place?: string
  /** What a heading is that is a name of the run's own: a group, a judge. */
  own?: string
}

/** The data of a section as a table. */
export function FigureTable({ table, ...words }: TableWords & { table: TableData }) {
  return <TableView table={tableOf(table)} {...words} />
}

/** A table of the view model; names of variants get their mark. */
export function TableView(props: TableWords & { table: Table }) {
  const { title, table, place, own } = props
  return (
    <TableFrame label={title}>
      <table>
        <thead>
          <tr>
            {table.columns.map((column, index) => (
              <th key={index} scope="col" class={column.isText ? "texts" : ""}>
                {column.isVariant && <VariantMark name={column.title} />}
                <Explained word={column.title} place={place} otherwise={own}>
                  <Foreign text={column.title} limit={80} />
                </Explained>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <CellView
                  key={column}
                  cell={cell}
                  isFirst={column === 0}
                  isText={table.columns[column]?.isText ?? false}
                  place={place}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function VariantMark({ name }: { name: string }) {
  return usePage().positions.has(name) ? (
    <>
      <InlineMark variant={name} />{" "}
    </>
  ) : null
}

function CellView(props: { cell: Cell; isFirst: boolean; isText: boolean; place: string | undefined }) {
  const { cell, isFirst, isText, place } = props
  const { text, kind, figure, unit } = cell
  if (isFirst && kind === "term")
    return (
      <th scope="row">
        <Heading title={text} place={place} />
      </th>
    )
  if (isFirst && figure === undefined && kind === undefined)
    return (
      <th scope="row">
        <VariantMark name={text} />
        <Foreign text={text} limit={120} />
      </th>
    )
  if (figure !== undefined)
    return (
      <td>
        {unit === undefined ? (
          <Written text={text} story={figureStory(figure, null)} isKnown={figure.status === "known"} />
        ) : (
          <FigureCell figure={figure} unit={unit} counted={cell.isCounted ?? false} strong={cell.isStrong ?? false} />
        )}
      </td>
    )
  if (kind !== undefined) return <td class={kind === "none" ? "unknown" : undefined}>{text}</td>
  return (
    <td class={isText || !isNumberText(text) ? "texts" : undefined}>
      <Foreign text={text} limit={300} />
    </td>
  )
}

/** A figure that was written before: its interval, in brackets, is small. */
function Written({ text, story, isKnown }: { text: string; story: string; isKnown: boolean }) {
  if (!isKnown)
    return (
      <span class="unknown" title={story}>
        unknown
      </span>
    )
  const [, value = text, interval = ""] = /^(.*?)( \(.*\))?$/.exec(plainLines(text)) ?? []
  return (
    <span title={story}>
      <Foreign text={value} limit={60} />
      {interval && (
        <small class="half">
          <Foreign text={interval} limit={60} />
        </small>
      )}
    </span>
  )
}
