/** ANSI control sequences, device strings and two-character escapes, as terminals read them. */
const escapeSequences =
  /[\u001b\u009b](?:\][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|[PX^_][^\u001b\u009c]*(?:\u001b\\|\u009c)?|\[?[0-?]*[ -/]*[@-~])?/g
/** Everything that moves the cursor or turns the direction of writing. */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu
const tags = /[\u{e0000}-\u{e007f}]/gu
const stackedMarks = /(\p{M}{2})\p{M}+/gu

/**
 * A foreign text on one harmless line: escape sequences are removed, line breaks and tabs become spaces, other controls
 * (bidirectional ones too) become U+FFFD, combining marks are limited to two, and it is cut at `limit` characters.
 *
 * @example plainText("red\u001b[31m\nline") // "red line"
 */
export function plainText(text: string, limit = 200): string {
  const line = plainLines(text.slice(0, limit * 8)).replace(/[\n\t]/g, " ")
  const characters = [...line]
  return characters.length > limit ? `${characters.slice(0, limit - 1).join("")}\u2026` : line
}

/**
 * A foreign text of several lines without escape sequences and invisible controls; line feeds and tabs stay.
 *
 * @example plainLines("a\u202eb\r\n") // "a\ufffdb\n"
 */
export function plainLines(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(escapeSequences, "")
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, "\n")
    .replace(controls, (control) => (control === "\n" || control === "\t" ? control : "\ufffd"))
    .replace(tags, "\ufffd")
    .replace(stackedMarks, "$1")
}

/** What evalkit itself writes to draw on a terminal: colours, and a line that is erased. */
const ownSequence = /^\u001b\[[0-9;]*[mK]$/

/**
 * A text for a terminal or a log, in which sequences other than colours and the erasure of a line do nothing, and no text writes over another, whatever brought them.
 *
 * @example inertText("\u001b[1mread\u001b]52;c;b3duZWQ=\u0007y") // "\u001b[1mready"
 */
export function inertText(text: string): string {
  return text
    .replace(escapeSequences, (sequence) => (ownSequence.test(sequence) ? sequence : ""))
    .replace(/\r(?!\n|\u001b\[2?K)|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g, "\ufffd")
}

const asciiForms: readonly (readonly [RegExp, string])[] = [
  [/[\u2212\u2013\u2014\u2500]/g, "-"],
  [/\u00b1/g, "+/-"],
  [/[\u00b7\u2022]/g, "|"],
  [/\u2026/g, "..."],
  [/[\u2018\u2019]/g, "'"],
  [/[\u201c\u201d]/g, '"'],
  [/\u2265/g, ">="],
  [/\u2264/g, "<="],
  [/\u00d7/g, "x"],
  [/\u2192/g, "->"],
  [/[^\u0000-\u007f]/gu, "?"],
]

/**
 * A text for terminals without Unicode: signs get their ASCII form, everything else outside ASCII becomes "?".
 *
 * @example asciiText("0.846 ±0.024 · −1") // "0.846 +/-0.024 | -1"
 */
export function asciiText(text: string): string {
  return asciiForms.reduce((result, [pattern, form]) => result.replace(pattern, form), text)
}
