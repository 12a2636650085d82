import { cells, partsOfWord } from "../../../reports/terminal/cells.ts"

/**
 * A text with its lines broken at spaces, so that no word is half where a terminal of this width shows it. What follows the first
 * part of a line stands further in. Words that are longer than a line stay whole: they are paths and addresses. So do lines of JSON,
 * lines of a command that goes on behind a backslash, and lines with colours, which are made for the width already.
 */
export function wrapLines(text: string, width: number): string {
  const isMade = (line: string) =>
    cells(line) <= width || /^[{[]/.test(line) || line.includes("\u001b") || line.endsWith(" \\")
  return text
    .split("\n")
    .map((line) => (isMade(line) ? line : wrapLine(line, width)))
    .join("\n")
}

function wrapLine(line: string, width: number): string {
  const indent = /^ */.exec(line)?.[0] ?? ""
  const parts: string[] = []
  let part = indent
  for (const word of line.slice(indent.length).split(" ")) {
    const longer = part.trim() === "" ? part + word : `${part} ${word}`
    if (cells(longer) <= width || part.trim() === "") {
      part = longer
      continue
    }
    parts.push(part)
    const room = width - cells(indent) - 2
    // Paths and addresses are copied from the screen, which puts their parts together again; a sentence without spaces is read.
    const pieces = cells(word) > room && cells(word) > [...word].length ? partsOfWord(word, room) : [word]
    parts.push(...pieces.slice(0, -1).map((piece) => `${indent}  ${piece}`))
    part = `${indent}  ${pieces.at(-1)}`
  }
  return [...parts, part].join("\n")
}
