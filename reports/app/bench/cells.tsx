import type { ComponentChildren } from "preact"
import type { Figure } from "../../../src/core/report/figure.ts"
import { byWords } from "../../../src/words/figure.ts"
import { count, significant } from "../../../src/words/number.ts"
import { DataTable, type Heading } from "../data-table.tsx"
import { figureStory } from "../parts.tsx"

/** How a figure is written. */
export interface CellFormat {
  /** Factor before it is written: 100 for shares. */
  readonly scale?: number
  readonly before?: string
  readonly after?: string
  /** Whether its interval is shown below it. */
  readonly interval?: boolean
}

/** A figure as a table cell: its interval and its doubt below it, why it is unknown on hover. */
export function FigureTd({ figure, ...format }: CellFormat & { figure: Figure }) {
  const { scale = 1, before = "", after = "", interval = false } = format
  const story = figureStory(figure, null)
  if (figure.status === "unknown")
    return (
      <td class="unknown" title={story}>
        unknown
      </td>
    )
  const range = rangeWords(figure, scale)
  return (
    <td title={[figure.method, `n ${count(figure.n)}`, ...(figure.warning ? [figure.warning] : [])].join(", ")}>
      {`${before}${significant(figure.value * scale)}${after}${byWords(figure)}`}
      {!interval && figure.warning !== undefined && "*"}
      {interval && range !== "" && <small class="range">{range}</small>}
    </td>
  )
}

function rangeWords({ low, high, warning }: Extract<Figure, { status: "known" }>, scale: number): string {
  if (low == null || high == null) return warning === undefined ? "" : "n too small"
  return `${significant(low * scale)} to ${significant(high * scale)}${warning === undefined ? "" : ", n too small"}`
}

/** A table below what it is about; a wide one scrolls in its own frame. */
export function BenchTable(props: { caption: string; headings: readonly Heading[]; children: ComponentChildren }) {
  return (
    <>
      <p class="note caption">{props.caption}</p>
      <DataTable label={props.caption} headings={props.headings} class="bench" place="bench">
        {props.children}
      </DataTable>
    </>
  )
}

/** The first cell of a row, or of as many rows; nothing for the rows below their common one. */
export function RowHead({ text, rows = 1, index = 0 }: { text: string; rows?: number; index?: number }) {
  if (index > 0) return null
  return rows > 1 ? (
    <th scope="rowgroup" rowSpan={rows}>
      {text}
    </th>
  ) : (
    <th scope="row">{text}</th>
  )
}

/** Sentences as paragraphs. */
export function Paragraphs({ sentences }: { sentences: readonly string[] }) {
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}
