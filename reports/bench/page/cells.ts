import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import { count, significant } from "../../format/number.ts"
import { escapeHtml } from "./escape-html.ts"

/** How a figure is written. */
export interface CellFormat {
  /** Factor before it is written: 100 for shares. */
  readonly scale?: number
  readonly before?: string
  readonly after?: string
  /** Whether its interval stands below it. */
  readonly interval?: boolean
}

/** A figure as a table cell: its interval and its doubt below it, why it is unknown beside the word. */
export function figureCell(figure: Figure, { scale = 1, before = "", after = "", interval }: CellFormat = {}): string {
  if (figure.status === "unknown") return `<td class="unknown" title="${escapeHtml(figure.reason)}">unknown</td>`
  const words = (value: number) => `${before}${significant(value * scale)}${after}`
  const { low, high, method, n, warning, value } = figure
  const range =
    warning !== undefined && (low == null || high == null)
      ? "n too small"
      : low == null || high == null
        ? ""
        : `${significant(low * scale)} to ${significant(high * scale)}${warning === undefined ? "" : ", n too small"}`
  const title = [method, `n ${count(n)}`, ...(warning === undefined ? [] : [warning])].join(", ")
  const small = interval && range !== "" ? `<small>${escapeHtml(range)}</small>` : ""
  const star = !interval && warning !== undefined ? "*" : ""
  return `<td title="${escapeHtml(title)}">${escapeHtml(words(value))}${star}${small}</td>`
}

/** Of a column of numbers, or of words, which stand on the left. */
export type Heading = string | { readonly words: string }

/** A table; `rows` are cells that are HTML already. Wide ones scroll in their own box, below what they are about. */
export function tableOf(caption: string, headings: readonly Heading[], rows: readonly string[]): string {
  const head = headings
    .map((heading) =>
      typeof heading === "string"
        ? `<th scope="col">${escapeHtml(heading)}</th>`
        : `<th scope="col" class="words">${escapeHtml(heading.words)}</th>`,
    )
    .join("")
  return (
    `<p class="caption">${escapeHtml(caption)}</p>` +
    `<div class="scroll" role="group" tabindex="0" aria-label="${escapeHtml(caption)}">` +
    `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`
  )
}

/** The first cell of a row, or of as many rows. */
export function rowHead(text: string, rows = 1): string {
  const scope = rows > 1 ? `scope="rowgroup" rowspan="${rows}"` : 'scope="row"'
  return `<th ${scope}>${escapeHtml(text)}</th>`
}

/** A cell of plain text. */
export function textCell(text: string, cssClass = ""): string {
  return `<td${cssClass ? ` class="${cssClass}"` : ""}>${escapeHtml(text)}</td>`
}

/** `12.3 ms`, or `unknown`. */
export function figureWords(figure: Figure, after = "", scale = 1): string {
  const value = figureValue(figure)
  return value === null ? "unknown" : `${significant(value * scale)}${after}`
}
