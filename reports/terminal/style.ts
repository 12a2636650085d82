import { asciiText } from "../../src/words/text.ts"
import { cells } from "./cells.ts"
import { partsOfWord } from "./parts-of-word.ts"

/** What the terminal can show. */
export interface TerminalOptions {
  readonly columns: number
  /** ANSI colours; false under NO_COLOR and without a terminal. */
  readonly color: boolean
  /** Characters outside ASCII. */
  readonly unicode: boolean
}

/** Paints and measures for one terminal. */
export interface TerminalStyle {
  readonly marks: Readonly<Record<"baseline" | "frontier" | "dominated" | "unplaced", string>>
  /** A text in the characters that this terminal has. */
  text(text: string): string
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
}

/** The style of a terminal: colour adds to the words and marks, it never carries a meaning alone. */
export function terminalStyle(options: Pick<TerminalOptions, "color" | "unicode">): TerminalStyle {
  const paint = (open: number, close: number) => (text: string) =>
    options.color && text ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
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
