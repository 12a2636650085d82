/**
 * A text with its lines broken at spaces, so that no word is half where a terminal of this width shows it. What follows the first
 * part of a line stands further in. Words that are longer than a line stay whole: they are paths and addresses. So do lines of JSON,
 * and lines with colours, which are made for the width already.
 */
export function wrapLines(text: string, width: number): string {
  const isMade = (line: string) => line.length <= width || /^[{[]/.test(line) || line.includes("\u001b")
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
    if (longer.length <= width || part.trim() === "") {
      part = longer
      continue
    }
    parts.push(part)
    part = `${indent}  ${word}`
  }
  return [...parts, part].join("\n")
}
