import { asciiText, plainText } from "../../src/words/text.ts"
import { cells, partsOfWord } from "./cells.ts"

/** What the terminal can show. */
export interface TerminalOptions {
  readonly columns: number
  /** ANSI colours; false under NO_COLOR and without a terminal. */
  readonly color: boolean
  /** Characters outside ASCII. */
  readonly unicode: boolean
}

/** A terminal: what it can show, and how texts are painted and laid out for it. */
export interface Screen extends TerminalOptions {
  readonly marks: Readonly<Record<"baseline" | "frontier" | "dominated" | "unplaced", string>>
  /** A text in the characters that this terminal has. */
  text(text: string): string
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
}

/** A terminal: colour adds to the words and marks, it never carries a meaning alone. */
export function terminalScreen(options: TerminalOptions): Screen {
  const paint = (open: number, close: number) => (text: string) =>
    options.color && text ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
    ...options,
    marks: options.unicode
      ? { baseline: "\u25b2", frontier: "\u25cf", dominated: "\u25cb", unplaced: "\u00b7" }
      : { baseline: "^", frontier: "*", dominated: "o", unplaced: "." },
    text: (text) => (options.unicode ? text : asciiText(text)),
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    bad: paint(31, 39),
    warn: paint(33, 39),
  }
}

/** How a paragraph is laid out. */
interface ParagraphOptions {
  /** Cells that are left of the screen's width. Default 2. */
  readonly margin?: number
  /** Before its first line, painted already. Default a space. */
  readonly first?: string
  /** Before each further line. Default what stands before the first. */
  readonly next?: string
  /** Characters of the text, at most. Default 600. */
  readonly limit?: number
  paint?(line: string): string
}

/** A text in lines of the screen, made harmless. */
export function paragraph(screen: Screen, text: string, options: ParagraphOptions = {}): string[] {
  const { margin = 2, first = " ", next = first, limit = 600, paint = (line) => line } = options
  const lines = wrap(screen.text(plainText(text, limit)), screen.columns - margin, screen.unicode)
  return lines.map((line, i) => `${i === 0 ? first : next}${paint(line)}`)
}

export { cells }

/** A text filled with spaces to a width in cells, on its right or (`start`) on its left. */
export function pad(text: string, width: number, side: "end" | "start" = "end"): string {
  const space = " ".repeat(Math.max(0, width - cells(text)))
  return side === "end" ? text + space : space + text
}

/** A plain text cut to a width in cells; the cut is marked by "…" (or "..." where it is not to be had). */
export function truncate(text: string, width: number, unicode: boolean): string {
  if (cells(text) <= width) return text
  const mark = unicode ? "\u2026" : "..."
  const characters = [...text]
  let [kept, most] = [0, characters.length]
  while (kept < most) {
    const middle = (kept + most + 1) >> 1
    if (cells(characters.slice(0, middle).join("")) + cells(mark) <= width) kept = middle
    else most = middle - 1
  }
  const result = characters.slice(0, kept).join("")
  return width <= cells(mark) ? mark.slice(0, Math.max(0, width)) : result + mark
}

/**
 * A plain text broken into lines of a width at spaces, not between a number and its unit nor beside a sign of relation. A word that
 * is longer than a line is broken at its joints ("-", "/") or, in scripts without spaces, between the words in it; else it is cut.
 */
export function wrap(text: string, width: number, unicode: boolean): string[] {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(/ (?!(?<=\d )(?:%|points?\b|ms\b))(?![<=>] )(?<![<=>] )/)) {
    const longer = line === "" ? word : `${line} ${word}`
    if (cells(longer) <= width) {
      line = longer
      continue
    }
    if (line !== "") lines.push(line)
    const parts = cells(word) <= width ? [word] : partsOfWord(word, width)
    lines.push(...parts.slice(0, -1).map((part) => truncate(part, width, unicode)))
    line = truncate(parts.at(-1) ?? "", width, unicode)
  }
  if (line !== "") lines.push(line)
  return lines
}

/**
 * Parts of a list in lines of a width. Where they need more lines than there may be, the last ones are left out and counted.
 *
 * @example wrapParts(["a", "b", "c"], 9, { limit: 1, unicode: true, more: (n) => `${n} more` }) // ["a · 2 more"] where "a · b · c" is too long
 */
export function wrapParts(
  parts: readonly string[],
  width: number,
  options: { readonly limit: number; readonly unicode: boolean; more(hidden: number): string },
): string[] {
  const separator = options.unicode ? " \u00b7 " : " - "
  for (let shown = parts.length; ; shown--) {
    const hidden = parts.length - shown
    const text = [...parts.slice(0, shown), ...(hidden > 0 ? [options.more(hidden)] : [])].join(separator)
    const lines = wrap(text, width, options.unicode)
    if (lines.length <= options.limit || shown <= 1) return lines
  }
}

/** A list behind its label, dimmed, on two lines at most: what has no room is counted. Nothing without a part. */
export function listLines(screen: Screen, label: string, parts: readonly string[], where = " in the report"): string[] {
  const [first, ...others] = parts.map(screen.text)
  if (first === undefined) return []
  const layout = { limit: 2, unicode: screen.unicode, more: (hidden: number) => `${hidden} more${where}` }
  return wrapParts([`${label}: ${first}`, ...others], screen.columns - 2, layout).map((line) => ` ${screen.dim(line)}`)
}
